"""What somebody wants of a line goes to the process that has it, when that is another one, and is done there at once.

Wishes (pair, log out, restart) are rows: the holder is called to look at them now, and would find them by itself. What has
to be answered is asked (`engine/together/questions`). Everything asked may be done twice, and carries ids alone: a code
is read from its row, and a file goes into the store of files from where the line is. Where nobody answers, what is done is
what this process can do by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import msgspec

from tablegram.engine.bus.wakeups import FREED
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.timers import Tasks
from tablegram.engine.together.peers import NotThere, Silent
from tablegram.engine.together.questions import Questions
from tablegram.messaging.links import Links
from tablegram.messaging.ports import Accepted, Delayed, NetworkRefused, Outcome, Pairing, Unknown
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.draining import Drains, lease_name
from tablegram.messaging.watch import LineWatch

# Called, and asked.
LOOK, RESTART = "kept lines", "restarted lines"
READ, PAIR, FETCH = "read", "pair", "fetch"
READ_WITHIN_S = 30.0
# A file takes as long as a line gives it, and then it has to be stored.
FETCH_WITHIN_S = 180.0
CODE_EVERY_S = 0.1
# Between the end of a wait for a code and that of the one for the answer.
ANSWER_S = 1.0


@dataclass(frozen=True, slots=True)
class Settled:
    """What was asked for is done, or there is nothing left to do. A file is kept, or not wanted any more."""


Told = Settled | Outcome
Fetched = Settled | NetworkRefused | Delayed
Fetch = Callable[[LiveLine, str], Awaitable[Fetched]]
_KINDS: dict[str, type[Told]] = {one.__name__: one for one in (Settled, Accepted, NetworkRefused, Delayed, Unknown)}
_GONE = NetworkRefused("instance_unknown", "The line was deleted.")
_SILENT = Unknown("The server that has the line does not answer.")
_SOON = NetworkRefused("pairing_soon", "There is no code yet. Try again in a moment.")
# Why a process cannot run a line that another one can.
_NOT_HERE = ("engine_missing", "lines_full")


class _Wish(msgspec.Struct, frozen=True):
    is_typed: bool
    within_s: float


class Holders:
    def __init__(
        self, drains: Drains, leases: Leases, watch: LineWatch, links: Links, questions: Questions, tasks: Tasks
    ) -> None:
        self._drains = drains
        self._leases = leases
        self._watch = watch
        self._links = links
        self._questions = questions
        self._tasks = tasks
        leases.wakeups.answer(LOOK, self._called)
        leases.wakeups.answer(RESTART, self._called_anew)
        questions.answer(READ, self._read)
        questions.answer(PAIR, self._pair)

    def fetch_by(self, fetch: Fetch) -> None:
        """Who fetches a file that another process has asked for."""

        async def answer(lease: Lease, media_id: str) -> str:
            line = await self._drains.line_of(lease.name)
            return _spell(_GONE if line is None else await fetch(line, media_id))

        self._questions.answer(FETCH, answer)

    # Here.

    def look(self, line: LiveLine) -> None:
        """Somebody wants something of the line, and has written it down."""
        self._watch.heard_of(line.instance.id)
        self._call(LOOK, line)

    def restart(self, line: LiveLine) -> None:
        """Whatever holds it up is forgotten."""
        line.release()
        line.bell.ring()
        self._watch.look_soon()
        self._call(RESTART, line)

    def _call(self, what: str, line: LiveLine) -> None:
        if not self._leases.has(lease_name(line)):
            self._leases.wakeups.pass_on(what, lease_name(line))

    async def read(self, line: LiveLine, network_id: str) -> Outcome:
        """Tell the customer that a message was read."""
        told = await self._ask(line, READ, network_id, READ_WITHIN_S)
        return told if told is not None and not isinstance(told, Settled) else await line.driver.mark_read(network_id)

    async def pair(self, line: LiveLine, phone: str, within_s: float) -> Pairing | NetworkRefused:
        """A code, as soon as there is one; whoever wants it has said so by a row."""
        until = time.monotonic() + within_s
        while True:
            left_s = until - time.monotonic()
            wish = _Wish(bool(phone), left_s - ANSWER_S)
            told = await self._ask(line, PAIR, msgspec.json.encode(wish).decode(), left_s)
            if isinstance(told, NetworkRefused):
                return told
            found = await self._shown(line, phone) or await _code(line, phone, until)
            if isinstance(found, Pairing) or found.code not in _NOT_HERE or not self._is_elsewhere(line):
                return found
            if told is not None:
                # What holds here says nothing of where the line is.
                return _SOON
            if time.monotonic() > until:
                return found
            # Nobody has the line yet: whoever can run it takes it with its next look.
            await asyncio.sleep(CODE_EVERY_S)

    async def _shown(self, line: LiveLine, phone: str) -> Pairing | None:
        """The code that another process shows."""
        if not self._is_elsewhere(line):
            return None
        link = await self._links.of(line.instance.account_id, line.instance.id).read()
        shown = link.typed if phone else link.code
        return None if shown is None or link.is_paired else Pairing(shown.code, shown.until_ms)

    async def fetch(self, line: LiveLine, media_id: str) -> Fetched | None:
        """Have a file fetched and kept by who has its line; nothing where that is this process."""
        told = await self._ask(line, FETCH, media_id, FETCH_WITHIN_S)
        # Who is silent may keep it yet; then nobody wants it any more when its time comes.
        return Delayed("line_unreachable", told.detail, 0, "line") if isinstance(told, Unknown) else _fetched(told)

    async def _ask(self, line: LiveLine, kind: str, body: str, within_s: float) -> Told | None:
        """What the holder says; nothing where this process can do it itself, or nobody else can."""
        if not self._is_elsewhere(line):
            return None
        try:
            return _read(await self._questions.ask(lease_name(line), kind, body, within_s))
        except NotThere:
            return None
        except Silent:
            return _SILENT

    def _is_elsewhere(self, line: LiveLine) -> bool:
        """Whether another process has it, or may take it."""
        is_here = self._leases.wakeups.is_alone or self._leases.has(lease_name(line))
        return line.instance.is_exclusive and not is_here

    # There.

    def _called(self, lease: str) -> None:
        if lease == FREED:
            # A phone whose server has gone is taken up by whoever looks first.
            self._watch.look_soon()
        elif self._leases.has(lease):
            self._tasks.spawn("look at a line", self._look(lease))

    async def _look(self, lease: str) -> None:
        line = await self._drains.line_of(lease)
        if line is not None:
            self._watch.heard_of(line.instance.id)

    def _called_anew(self, lease: str) -> None:
        if lease != FREED and self._leases.has(lease):
            self._tasks.spawn("restart a line", self._restart(lease))

    async def _restart(self, lease: str) -> None:
        line = await self._drains.line_of(lease)
        if line is not None:
            line.release()
            line.bell.ring()
            self._watch.look_soon()

    async def _read(self, lease: Lease, network_id: str) -> str:
        line = await self._drains.line_of(lease.name)
        return _spell(_GONE if line is None else await line.driver.mark_read(network_id))

    async def _pair(self, lease: Lease, body: str) -> str:
        wish = msgspec.json.decode(body, type=_Wish)
        line = await self._drains.line_of(lease.name)
        if line is None:
            return _spell(_GONE)
        self._watch.heard_of(line.instance.id)
        told = await _code(line, "typed" if wish.is_typed else "", time.monotonic() + wish.within_s)
        # The code itself stays in its row.
        return _spell(told if isinstance(told, NetworkRefused) else Settled())


async def _code(line: LiveLine, phone: str, until: float) -> Pairing | NetworkRefused:
    """Whichever process runs the line shows it; every other one sees it there."""
    while True:
        told = await line.driver.pair(phone)
        if isinstance(told, Pairing) or told.code != "pairing_soon" or time.monotonic() > until:
            return told
        await asyncio.sleep(CODE_EVERY_S)


def _spell(told: Told) -> str:
    return msgspec.json.encode((type(told).__name__, told)).decode()


def _read(spelt: str) -> Told:
    """Raises `Silent` for what another version says."""
    try:
        kind, told = msgspec.json.decode(spelt, type=tuple[str, msgspec.Raw])
        return msgspec.json.decode(told, type=_KINDS[kind])
    except (KeyError, msgspec.DecodeError):
        raise Silent from None


def _fetched(told: Told | None) -> Fetched | None:
    return told if told is None or isinstance(told, Settled | NetworkRefused | Delayed) else Settled()
