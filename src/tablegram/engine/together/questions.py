"""Whoever holds a lease is asked something by another process, over the bus, and answers.

What is asked is surely not begun when `NotThere` is raised. After `Silent` nobody knows: only what may be done twice is
asked. It is done by nobody but the process whose lease is the one that was asked for, and sure when it begins, and by
that one at once or never: a question that comes late, again, or to who has lost the lease meanwhile is not begun.

Words go to everybody on the bus, so they are sealed: nobody else reads them, or can say them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from tablegram.engine.bus.port import Bus
from tablegram.engine.leases import Lease, Leases
from tablegram.engine.timers import Tasks
from tablegram.engine.together.peers import NotThere, Silent
from tablegram.errors import Misconfigured
from tablegram.values.clock import Clock
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox
from tablegram.values.watching import trail

log = logging.getLogger("tablegram.bus")

ASK, ANSWER = "ask", "answer"
# A question that was on its way for longer is not begun.
BEGIN_WITHIN_S = 4.0
# Who is at it says so this often; who says nothing for longer has died, hangs, or is not heard.
STILL_EVERY_S = 1.5
SILENT_S = 6.0
# Of a word as it is told; a bus says nothing of one that is too long for it. Spelt out and sealed, a body may become three
# times as long.
MAX_BYTES = 7_800
# More than these are not answered at once.
MAX_AT_ONCE = 200
# A lease may move while it is asked for.
TRIES = 3

Handler = Callable[[Lease, str], Awaitable[str]]


class _Question(msgspec.Struct, frozen=True, array_like=True):
    number: str
    asker: str
    # By the clock that all processes share: later it is not begun.
    until_ms: int
    # What is to be held, and by which right: another holder, or the same one of another time, does nothing.
    lease: str
    fence: int
    kind: str
    body: str
    request_id: str


class _Said(msgspec.Struct, frozen=True, array_like=True):
    number: str
    what: Literal["still", "done", "not begun", "failed"]
    body: str = ""


_encode = msgspec.json.Encoder().encode
_question = msgspec.json.Decoder(_Question).decode
_said = msgspec.json.Decoder(_Said).decode


class Questions:
    """`me`: this process among the others."""

    def __init__(self, bus: Bus, leases: Leases, me: str, box: SecretBox, clock: Clock, tasks: Tasks) -> None:
        self._bus = bus
        self._leases = leases
        self._me = me
        self._box = box
        self._clock = clock
        self._tasks = tasks
        self._handlers: dict[str, Handler] = {}
        self._open: dict[str, asyncio.Queue[_Said]] = {}
        # Those that came, until when each could have been begun.
        self._known: dict[str, int] = {}
        self._working = 0
        self.asked = self.silent = self.answered = 0
        # The bus is read by one task for all who listen: it hands on what is meant for us, and does nothing else.
        bus.listen(ASK, lambda word: self._heard(word, self._take))
        bus.listen(ANSWER, lambda word: self._heard(word, self._answered))

    def answer(self, kind: str, handler: Handler) -> None:
        """`handler` gets the lease, which is sure, and the body. Whatever it does it may be asked to do again."""
        self._handlers[kind] = handler

    async def ask(self, lease: str, kind: str, body: str, within_s: float) -> str:
        """What the process answers that holds the lease. Raises `NotThere` or `Silent`; never asks this process."""
        self.asked += 1
        asked: tuple[str, int] | None = None
        for _ in range(TRIES):
            holder = None if self._bus.is_alone or not self._bus.is_connected else await self._leases.whose(lease)
            if holder is None or holder == asked or holder[0] == self._me:
                raise NotThere
            asked = holder
            try:
                return await self._ask(holder, lease, kind, body, within_s)
            except NotThere:
                # It may have gone to another process just now.
                continue
            except Silent:
                self.silent += 1
                raise
        raise NotThere

    async def _ask(self, holder: tuple[str, int], lease: str, kind: str, body: str, within_s: float) -> str:
        whom, fence = holder
        until = self._clock.now_ms() + int(BEGIN_WITHIN_S * 1_000)
        question = _Question(new_id(), self._me, until, lease, fence, kind, body, trail.followed())
        says = self._open[question.number] = asyncio.Queue()
        try:
            if not self._tell(ASK, whom, question):
                raise NotThere
            async with asyncio.timeout(within_s):
                while True:
                    async with asyncio.timeout(SILENT_S):
                        said = await says.get()
                    if said.what == "done":
                        return said.body
                    if said.what == "not begun":
                        raise NotThere
                    if said.what == "failed":
                        raise Silent
        except TimeoutError:
            raise Silent from None
        finally:
            del self._open[question.number]

    def _tell(self, topic: str, whom: str, what: _Question | _Said) -> bool:
        """Whether it was told: nothing that is too long is."""
        word = f"{whom} {self._box.seal(_encode(what).decode())}"
        is_short = len(word) <= MAX_BYTES
        if is_short:
            self._bus.tell(topic, word)
        return is_short

    def _heard(self, word: str, take: Callable[[str], None]) -> None:
        whom, _, sealed = word.partition(" ")
        if whom != self._me:
            return
        try:
            take(self._box.open(sealed))
        except (Misconfigured, msgspec.DecodeError):
            # Servers of another version, or with another secret key.
            log.warning("another process said something that this one does not understand")

    def _answered(self, opened: str) -> None:
        said = _said(opened)
        waiting = self._open.get(said.number)
        if waiting is not None:
            waiting.put_nowait(said)

    def _take(self, opened: str) -> None:
        question = _question(opened)
        now_ms = self._clock.now_ms()
        for number in [number for number, until_ms in self._known.items() if until_ms < now_ms]:
            del self._known[number]
        if question.until_ms < now_ms or question.number in self._known:
            # Nobody waits for it any more, or it has come before.
            return
        self._known[question.number] = question.until_ms
        self._tasks.spawn("answer a process", self._work(question))

    async def _work(self, question: _Question) -> None:
        handler, lease = self._handlers.get(question.kind), self._leases.held(question.lease)
        is_ours = lease is not None and lease.fence == question.fence and self._clock.now_ms() <= question.until_ms
        if handler is None or lease is None or not is_ours or self._working >= MAX_AT_ONCE:
            self._tell(ANSWER, question.asker, _Said(question.number, "not begun"))
            return
        trail.follow(question.request_id)
        self._working += 1
        still = self._tasks.spawn("at it", self._still(question))
        said = _Said(question.number, "failed")
        try:
            said = _Said(question.number, "done", await handler(lease, question.body))
        except Exception:
            log.exception("what another process asked for (%s) failed", question.kind)
        finally:
            self._working -= 1
            still.cancel()
            if not self._tell(ANSWER, question.asker, said):
                log.error("the answer to %s is too long for the bus", question.kind)
                self._tell(ANSWER, question.asker, _Said(question.number, "failed"))
            elif said.what == "done":
                self.answered += 1

    async def _still(self, question: _Question) -> None:
        while True:
            self._tell(ANSWER, question.asker, _Said(question.number, "still"))
            await asyncio.sleep(STILL_EVERY_S)

    async def figures(self) -> dict[str, float]:
        return {
            "questions_asked_total": self.asked,
            "questions_silent_total": self.silent,
            "questions_answered_total": self.answered,
        }
