"""The foreman and its children as the server sees them: a piece of work begins, ends by itself, or is ended."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
from itertools import count

import msgspec

from tablegram.workshop.ports import Job
from tablegram.workshop.wire import ORDER_BYTES, Order, Report

# The program is found where this one found it, in the same order; nothing else is handed on.
_BOOT = (
    "import sys; sys.path = sys.argv[2:] + [one for one in sys.path if one not in sys.argv[2:]]; "
    "from tablegram.workshop.foreman import main; main(int(sys.argv[1]))"
)
_ENVIRONMENT = {"LC_ALL": "C.UTF-8"}
CLOSE_WITHIN_S = 2.0

_reports = msgspec.json.Decoder(Report)


class CrewLost(Exception):
    """The foreman has gone, and its children with it; whatever they did, they did for nobody."""


def _start(control: int) -> subprocess.Popen[bytes]:
    known = map(os.path.abspath, filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-I", "-c", _BOOT, str(control), *known],
        pass_fds=(control,), env=_ENVIRONMENT, cwd="/",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


class Piece:
    """One piece of work: the socket to its child, when it began, and how it ended."""

    def __init__(self, number: int, peer: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self.number = number
        self.peer = peer
        self.began: asyncio.Future[int] = loop.create_future()
        self.ended: asyncio.Future[Report] = loop.create_future()

    def hear(self, report: Report) -> None:
        if report.why:
            self.lose(RuntimeError(f"the work cannot begin: {report.why}"))
        elif report.code is None:
            if not self.began.done():
                self.began.set_result(report.pid)
        elif not self.ended.done():
            self.ended.set_result(report)

    def lose(self, error: Exception) -> None:
        for future in (self.began, self.ended):
            if not future.done():
                future.set_exception(error)
                # Nobody may be waiting for both.
                future.exception()


class Crew:
    """Made inside a running event loop; `close` it there."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pieces: dict[int, Piece] = {}
        self._numbers = count(1)
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.setblocking(False)
        with theirs:
            try:
                self._process = _start(theirs.fileno())
            except OSError:
                self._control.close()
                raise
        self._loop.add_reader(self._control.fileno(), self._hear)
        self.is_lost = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin(self, job: Job[object]) -> Piece:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        piece = Piece(next(self._numbers), ours, self._loop)
        limits = job.limits
        order = Order(piece.number, job.work, limits.cpu_s, limits.memory_bytes, limits.file_bytes)
        with theirs:
            try:
                socket.send_fds(self._control, [msgspec.json.encode(order)], [theirs.fileno()])
            except OSError:
                ours.close()
                self._lose()
                raise CrewLost from None
        self._pieces[piece.number] = piece
        return piece

    def end(self, piece: Piece) -> None:
        """At once, wherever it is."""
        if piece.number in self._pieces and not self.is_lost:
            try:
                self._control.send(msgspec.json.encode(Order(piece.number)))
            except OSError:
                self._lose()

    def leave(self) -> None:
        """Let go of the foreman, which ends its children and then itself."""
        self._lose()

    async def close(self) -> None:
        self._lose()
        try:
            await asyncio.to_thread(self._process.wait, CLOSE_WITHIN_S)
        except subprocess.TimeoutExpired:
            # Its children follow it.
            self._process.kill()
            await asyncio.to_thread(self._process.wait)

    def _hear(self) -> None:
        with contextlib.suppress(BlockingIOError, InterruptedError):
            while not self.is_lost:
                try:
                    said = self._control.recv(ORDER_BYTES)
                except ConnectionError:
                    said = b""
                if not said:
                    self._lose()
                    return
                report = _reports.decode(said)
                piece = self._pieces.get(report.number)
                if piece is not None:
                    piece.hear(report)
                    if report.code is not None or report.why:
                        del self._pieces[report.number]

    def _lose(self) -> None:
        if self.is_lost:
            return
        self.is_lost = True
        self._loop.remove_reader(self._control.fileno())
        self._control.close()
        for piece in self._pieces.values():
            piece.lose(CrewLost())
        self._pieces.clear()
