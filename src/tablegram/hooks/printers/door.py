"""The door of every printer's listener: who calls, how often, how much; and answers that nobody keeps."""

from __future__ import annotations

import logging
import time
from abc import abstractmethod
from typing import NamedTuple

from tablegram.errors import NotFound, Problem, TooMany
from tablegram.printing.jobs import Job, Jobs
from tablegram.printing.printers.directory import Directory
from tablegram.printing.printers.model import Printer
from tablegram.printing.printers.profile import Kind, Profile
from tablegram.printing.printers.watching import Watch
from tablegram.printing.transports.sheets import MakeBytes, draw
from tablegram.settings import Settings
from tablegram.values.secrets import SecretBox
from tablegram.web.asgi import Field, Receive, Scope
from tablegram.web.limits import Limiter, Pace, ShutOut
from tablegram.web.plain.hook import TEXT, Hook, Reply

log = logging.getLogger("tablegram.printing")

# As any key of the API. A printer asks every few seconds; an agent as often as paper comes out.
PACE = Pace(50.0, 100)
# Star's clients stop asking where a host keeps answers.
FRESH: tuple[Field, ...] = ((b"cache-control", b"no-store, max-age=0"), (b"pragma", b"no-cache"))


class Works(NamedTuple):
    """What every listener works with."""

    jobs: Jobs
    directory: Directory
    watch: Watch
    press: MakeBytes
    box: SecretBox
    # One count for all listeners: who tries keys at one of them tries them at all.
    shut_out: ShutOut
    # By printer, whichever of them it comes to.
    limiter: Limiter


class Proofless(Exception):
    """The key is right and the proof beside it is not; the challenges say how to bring it."""

    def __init__(self, challenges: list[str]) -> None:
        super().__init__()
        self.challenges = challenges


class Door(Hook):
    """An address is `prefix` and the printer's key; its key is never logged."""

    prefix: str
    kinds: tuple[Kind, ...]
    always = FRESH
    # Keys and proofs are counted where they are looked at: a printer with both may well ask for a job that is gone.
    strange = ()

    def __init__(self, works: Works, settings: Settings) -> None:
        super().__init__(settings, works.shut_out)
        self.works = works
        self._limiter = works.limiter

    def refused(self, problem: Problem) -> Reply:
        """How to show a key of the API is nothing that a printer could do."""
        reply = super().refused(problem)
        return reply._replace(fields=tuple(one for one in reply.fields if one[0] != b"www-authenticate"))

    async def listen(self, scope: Scope, receive: Receive) -> Reply:
        key = self.key_of(scope)
        printer = await self.works.directory.find(key)
        if printer is None or printer.kind not in self.kinds:
            self.shut_out.count(scope)
            raise NotFound("No printer has this address. Copy it again from the panel.")
        decision = self._limiter.take(printer.id, *PACE, time.monotonic())
        if not decision.allowed:
            raise TooMany("This printer asks too often.", retry_after_s=decision.retry_after_s)
        try:
            self.prove(printer, scope)
        except Proofless as refusal:
            self.shut_out.count(scope)
            asked = tuple((b"www-authenticate", one.encode()) for one in refusal.challenges)
            return Reply(401, TEXT, b"The printer's name or password is missing or wrong.", asked)
        return await self.hear(printer, scope, receive)

    def key_of(self, scope: Scope) -> str:
        return str(scope["path"]).removeprefix(self.prefix).strip("/")

    def prove(self, printer: Printer, scope: Scope) -> None:
        """Where a name and a password are set, raise `Proofless` unless the caller shows them."""
        return

    @abstractmethod
    async def hear(self, printer: Printer, scope: Scope, receive: Receive) -> Reply: ...

    async def draw(self, printer: Printer, job: Job, profile: Profile, media: str) -> bytes | None:
        return await draw(self.works.press, self.works.jobs, printer, job, profile, media)

    def password(self, printer: Printer) -> str:
        return self.works.box.open(printer.profile.password) if printer.profile.password else ""
