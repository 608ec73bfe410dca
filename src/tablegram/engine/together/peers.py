"""Processes of one machine ask each other: a question and its answer, over a socket in a folder of theirs.

What is asked is surely not begun when `NotThere` is raised. After `Silent` nobody knows: whoever asks must be able to do the same
again without doing it twice.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import struct
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

from tablegram.engine.timers import Tasks

log = logging.getLogger("tablegram.peers")

# The number of a question, and how long it is.
_HEAD = struct.Struct("!QI")
# A question is a message and who sends it.
MAX_BYTES = 1_000_000
# More than these are not asked at once: whoever comes then does it another way.
MAX_OPEN = 2_000
# Who could not be reached is not tried again for so long.
AWAY_S = 2.0
# A path that is longer cannot be a socket's name.
MAX_PATH = 100

Handler = Callable[[bytes], Awaitable[bytes]]


class NotThere(Exception):
    """The other process cannot be asked, and has not been."""


class Silent(Exception):
    """The other process was asked and has not answered."""


class _Frames(asyncio.Protocol):
    """Pieces with a number, both ways. What is written in one turn of the loop goes out together."""

    def __init__(self, came: Callable[[_Frames, int, bytes], None], lost: Callable[[_Frames], None]) -> None:
        self._came = came
        self._lost = lost
        self._buffer = bytearray()
        self._out: list[bytes] = []
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # What the loop makes need not say so by its class.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._lost(self)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        at = 0
        while len(buffer) - at >= _HEAD.size:
            number, size = _HEAD.unpack_from(buffer, at)
            if size > MAX_BYTES:
                self.close()
                return
            end = at + _HEAD.size + size
            if len(buffer) < end:
                break
            self._came(self, number, bytes(buffer[at + _HEAD.size : end]))
            at = end
        del buffer[:at]

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def send(self, number: int, body: bytes) -> None:
        if not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out += (_HEAD.pack(number, len(body)), body)

    def _flush(self) -> None:
        if self._transport is not None:
            self._transport.write(b"".join(self._out))
        self._out.clear()

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class _Peer:
    """One other process, and what it is asked now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._frames: _Frames | None = None
        self._open: dict[int, asyncio.Future[bytes]] = {}
        self._numbers = itertools.count(1)
        self._connecting = asyncio.Lock()
        self._away_until = 0.0

    async def ask(self, body: bytes, within_s: float) -> bytes:
        loop = asyncio.get_running_loop()
        frames = self._frames
        if frames is None or not frames.is_open:
            frames = await self._connect(loop)
        if len(self._open) >= MAX_OPEN or len(body) > MAX_BYTES:
            raise NotThere
        number = next(self._numbers)
        answer: asyncio.Future[bytes] = loop.create_future()
        self._open[number] = answer
        late = loop.call_later(within_s, _give_up, answer)
        try:
            frames.send(number, body)
            return await answer
        finally:
            late.cancel()
            del self._open[number]

    async def _connect(self, loop: asyncio.AbstractEventLoop) -> _Frames:
        async with self._connecting:
            if self._frames is not None and self._frames.is_open:
                return self._frames
            if loop.time() < self._away_until:
                raise NotThere
            try:
                _, frames = await loop.create_unix_connection(
                    lambda: _Frames(self._answered, self._parted), str(self._path)
                )
            except OSError as error:
                self._away_until = loop.time() + AWAY_S
                raise NotThere from error
            self._frames = frames
            return frames

    def _answered(self, _: _Frames, number: int, body: bytes) -> None:
        answer = self._open.get(number)
        if answer is not None and not answer.done():
            answer.set_result(body)

    def _parted(self, _: _Frames) -> None:
        for answer in self._open.values():
            _give_up(answer)

    def close(self) -> None:
        if self._frames is not None:
            self._frames.close()


class Peers:
    """`me` is this process among the others; each has a socket of its name in the folder."""

    def __init__(self, folder: Path, me: str, tasks: Tasks) -> None:
        self._folder = folder
        self._me = me
        self._tasks = tasks
        self._handler: Handler | None = None
        self._peers: dict[str, _Peer] = {}
        self._server: asyncio.Server | None = None
        self._callers: set[_Frames] = set()
        self.asked = self.silent = 0

    def answer(self, handler: Handler) -> None:
        self._handler = handler

    async def open(self) -> None:
        """From now on others can ask. Where no socket can be, nobody asks, and nobody misses it."""
        path = self._path(self._me)
        if len(str(path)) > MAX_PATH:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            await self._clear()
            loop = asyncio.get_running_loop()
            self._server = await loop.create_unix_server(lambda: _Frames(self._asked, self._callers.discard), str(path))
            path.chmod(0o600)
        except OSError as error:
            log.warning("other processes of this machine cannot ask this one: %s", error)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._path(self._me).unlink(missing_ok=True)
        for frames in list(self._callers):
            frames.close()
        for peer in self._peers.values():
            peer.close()

    async def ask(self, peer: str, body: bytes, within_s: float) -> bytes:
        """What the other answers. Raises `NotThere` or `Silent`."""
        known = self._peers.get(peer)
        if known is None:
            path = self._path(peer)
            if self._server is None or not path.exists():
                raise NotThere
            known = self._peers[peer] = _Peer(path)
        try:
            answered = await known.ask(body, within_s)
        except Silent:
            self.silent += 1
            raise
        self.asked += 1
        return answered

    async def figures(self) -> dict[str, float]:
        return {"peers_asked_total": self.asked, "peers_silent_total": self.silent}

    def _asked(self, frames: _Frames, number: int, body: bytes) -> None:
        self._callers.add(frames)
        if self._handler is not None:
            self._tasks.spawn("answer a process", self._answer(self._handler, frames, number, body))

    async def _answer(self, handler: Handler, frames: _Frames, number: int, body: bytes) -> None:
        answered = await handler(body)
        if frames.is_open:
            frames.send(number, answered)

    async def _clear(self) -> None:
        """What dead processes have left."""
        for left in self._folder.glob("*.sock"):
            try:
                _, writer = await asyncio.open_unix_connection(str(left))
                writer.close()
            except OSError:
                left.unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.sock"


def _give_up(answer: asyncio.Future[bytes]) -> None:
    if not answer.done():
        answer.set_exception(Silent())
