"""The door of every printer's listener: who calls, how often, how much; and answers that nobody keeps."""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
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
from tablegram.web import problems
from tablegram.web.asgi import Field, Receive, Scope, Send, announced_length, answer
from tablegram.web.bodies import BodyReader, ClientGone
from tablegram.web.limits import Limiter, Pace, ShutOut

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


class Reply(NamedTuple):
    status: int = 200
    media: str = ""
    body: bytes = b""
    fields: tuple[Field, ...] = ()


class Proofless(Exception):
    """The key is right and the proof beside it is not; the challenges say how to bring it."""

    def __init__(self, challenges: list[str]) -> None:
        super().__init__()
        self.challenges = challenges


class Door(ABC):
    """An address is `prefix` and the printer's key; its key is never logged."""

    prefix: str
    kinds: tuple[Kind, ...]

    def __init__(self, works: Works, settings: Settings) -> None:
        self.works = works
        self._bodies = BodyReader.of(settings)
        self._shut_out = works.shut_out
        self._limiter = works.limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            reply = await self._answer(scope, receive)
        except ClientGone:
            return
        except Proofless as refusal:
            asked = tuple((b"www-authenticate", one.encode()) for one in refusal.challenges)
            reply = Reply(
                401, "text/plain; charset=utf-8", b"the printer's name or password is missing or wrong", asked
            )
        except Problem as problem:
            fields = tuple(one for one in problems.headers(problem) if one[0] != b"www-authenticate")
            reply = Reply(problem.status, "text/plain; charset=utf-8", problem.detail.encode(), fields)
        media: tuple[Field, ...] = ((b"content-type", reply.media.encode()),) if reply.media else ()
        await answer(send, reply.status, [*media, *FRESH, *reply.fields], reply.body)

    async def _answer(self, scope: Scope, receive: Receive) -> Reply:
        self._shut_out.check(scope)
        key = self.key_of(scope)
        printer = await self.works.directory.find(key)
        if printer is None or printer.kind not in self.kinds:
            self._shut_out.count(scope)
            raise NotFound("no printer has this address; copy it again from the panel")
        decision = self._limiter.take(printer.id, *PACE, time.monotonic())
        if not decision.allowed:
            raise TooMany("this printer asks too often", retry_after_s=decision.retry_after_s)
        try:
            self.prove(printer, scope)
        except Proofless:
            self._shut_out.count(scope)
            raise
        return await self.hear(printer, scope, receive)

    def key_of(self, scope: Scope) -> str:
        return str(scope["path"]).removeprefix(self.prefix).strip("/")

    def prove(self, printer: Printer, scope: Scope) -> None:
        """Where a name and a password are set, raise `Proofless` unless the caller shows them."""
        return

    @abstractmethod
    async def hear(self, printer: Printer, scope: Scope, receive: Receive) -> Reply: ...

    async def body(self, scope: Scope, receive: Receive, most: int) -> bytes:
        return await self._bodies.whole(receive, most, announced_length(scope))

    async def draw(self, printer: Printer, job: Job, profile: Profile, media: str) -> bytes | None:
        return await draw(self.works.press, self.works.jobs, printer, job, profile, media)

    def password(self, printer: Printer) -> str:
        return self.works.box.open(printer.profile.password) if printer.profile.password else ""
