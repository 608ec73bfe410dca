"""The workshop of this process: it waits for the account's turn, has a child do the work, and ends it at its limits."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec

from tablegram.errors import FieldError, Invalid, Unavailable
from tablegram.workshop.crew import Crew, CrewLost, Piece
from tablegram.workshop.ports import Job
from tablegram.workshop.turns import RETRY_S, Turns, closing
from tablegram.workshop.wire import HEAD, MADE, OUT_OF_MEMORY, WRONG, Report, Wrong

log = logging.getLogger("tablegram.workshop")

Made = TypeVar("Made")

# The foreman may have to load libraries first, on a machine that has much else to do.
BEGIN_WITHIN_S = 60.0
# Whoever is killed ends at once; this is for a machine that stands still.
END_WITHIN_S = 30.0
_PIECE_BYTES = 1 << 18
_OVER = (-signal.SIGXCPU, OUT_OF_MEMORY)


class _Lost(Exception):
    """The child was ended by somebody else: an administrator, or the system when memory ran out."""


class _TooMuch(Exception):
    """A limit was reached."""


class Children:
    """Implements `ports.Workshop`. The foreman is started by the first piece of work, and again when it has died."""

    def __init__(self, most: int) -> None:
        self._turns = Turns(most)
        self._crew: Crew | None = None
        self._gone: list[Crew] = []
        self._is_closed = False
        self._done = self._over = 0
        self._cpu_s = 0.0

    async def do(self, account_id: int, job: Job[Made], given: Any) -> Made:
        raw = given if isinstance(given, bytes) else msgspec.msgpack.encode(given)
        async with self._turns.turn(account_id, len(raw)):
            try:
                answer = await self._done_by_somebody(job, raw)
            except _TooMuch as limit:
                self._over += 1
                log.warning("account %s: %s was ended: %s", account_id, job.work, limit)
                raise _told(job.too_much) from None
        self._done += 1
        # The type is ours; whatever a child says that is not of it goes no further.
        return cast(Made, answer) if job.made is bytes else msgspec.msgpack.decode(answer, type=job.made)

    def close_doors(self) -> None:
        """The server is about to end: whoever waits is told to come again, and the children end at once."""
        self._is_closed = True
        self._turns.close()
        if self._crew is not None:
            self._crew.leave()

    async def stop(self) -> None:
        self.close_doors()
        for crew in [*self._gone, *([self._crew] if self._crew is not None else [])]:
            await crew.close()
        self._gone, self._crew = [], None

    async def figures(self) -> Mapping[str, float]:
        return {
            "file_jobs_done_total": self._done,
            "file_jobs_over_limit_total": self._over,
            "file_jobs_cpu_seconds_total": round(self._cpu_s, 3),
            "file_jobs_working": self._turns.working,
            "file_jobs_waiting": self._turns.waiting,
        }

    async def _done_by_somebody(self, job: Job[Any], raw: bytes) -> bytes:
        """A child that is gone through no fault of the work is replaced once; the work is pure, so that is safe."""
        for _ in range(2):
            if self._is_closed:
                raise closing()
            try:
                return await self._done_by_child(job, raw)
            except (_Lost, CrewLost):
                log.warning("the child that did %s has gone", job.work)
            except OSError as error:
                # No more processes, files or memory for us at this moment.
                log.warning("no child can be started for %s: %s", job.work, error)
        if self._is_closed:
            raise closing()
        raise Unavailable(
            "The work on this file was interrupted. Send it again.", code="file_interrupted", retry_after_s=RETRY_S
        )

    async def _done_by_child(self, job: Job[Any], raw: bytes) -> bytes:
        crew = await self._living_crew()
        piece = crew.begin(job)
        try:
            async with asyncio.timeout(BEGIN_WITHIN_S):
                await piece.began
            try:
                async with asyncio.timeout(job.limits.wall_s):
                    return await self._exchange(job, piece, raw)
            except TimeoutError:
                raise _TooMuch(f"{job.limits.wall_s:g} s") from None
        except TimeoutError:
            # A foreman that does not answer is of no use to anybody.
            crew.leave()
            raise CrewLost from None
        finally:
            crew.end(piece)
            piece.peer.close()
            piece.ended.add_done_callback(self._count)

    async def _exchange(self, job: Job[Any], piece: Piece, raw: bytes) -> bytes:
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(piece.peer, HEAD.pack(MADE, len(raw)))
            await loop.sock_sendall(piece.peer, raw)
        except ConnectionError:
            # It ended before it had read everything; how, its end tells.
            return await self._account_for(job, piece)
        head = await _read(piece, HEAD.size)
        if len(head) < HEAD.size:
            return await self._account_for(job, piece)
        kind, size = HEAD.unpack(head)
        if size > job.limits.answer_bytes:
            raise _TooMuch(f"an answer of {size} bytes")
        body = await _read(piece, size)
        if len(body) < size:
            return await self._account_for(job, piece)
        if kind == MADE:
            return body
        if kind == WRONG:
            wrong = msgspec.msgpack.decode(body, type=Wrong)
            errors = tuple(FieldError(one.field, one.code, one.detail) for one in wrong.faults)
            raise Invalid(wrong.detail, code=wrong.code, errors=errors)
        raise RuntimeError(f"{job.work} failed in its child:\n{body.decode(errors='replace')}")

    async def _account_for(self, job: Job[Any], piece: Piece) -> bytes:
        """Why there is no answer."""
        async with asyncio.timeout(END_WITHIN_S):
            report = await piece.ended
        if report.code in _OVER:
            raise _TooMuch("memory" if report.code == OUT_OF_MEMORY else f"{job.limits.cpu_s} s of a processor")
        if report.code == -signal.SIGKILL:
            raise _Lost
        log.warning("%s broke its child: it ended with %s", job.work, report.code)
        raise _told(job.unreadable)

    async def _living_crew(self) -> Crew:
        if self._crew is not None and self._crew.is_lost:
            gone, self._crew = self._crew, None
            self._gone.append(gone)
            # Only its exit code is waited for, so that it leaves no zombie.
            await gone.close()
            if gone in self._gone:
                self._gone.remove(gone)
        if self._crew is None:
            self._crew = Crew()
        return self._crew

    def _count(self, ended: asyncio.Future[Report]) -> None:
        if not ended.cancelled() and ended.exception() is None:
            self._cpu_s += ended.result().cpu_s


async def _read(piece: Piece, size: int) -> bytes:
    """So many bytes, or as many as there were before the child ended."""
    loop = asyncio.get_running_loop()
    held = bytearray()
    while len(held) < size:
        try:
            more = await loop.sock_recv(piece.peer, min(_PIECE_BYTES, size - len(held)))
        except ConnectionError:
            break
        if not more:
            break
        held += more
    return bytes(held)


def _told(fault: FieldError) -> Invalid:
    return Invalid.field(fault.field, fault.code, fault.detail)
