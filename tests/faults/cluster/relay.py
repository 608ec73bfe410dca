"""The network between two programs: bytes are carried on, later, or not at all.

What is silent is as a broken route: nobody is told, connections stay, and what was on its way comes when the route is back.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

from tests.ports import free_port

PIECE = 1 << 16
BACKLOG = 512

Target = tuple[str, int]


@dataclass(eq=False)
class Route:
    """One connection; `is_lost` when its other end is gone for good and nobody says so."""

    writers: list[asyncio.StreamWriter]
    is_lost: bool = False
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def abort(self) -> None:
        for writer in self.writers:
            writer.transport.abort()
        for task in self.tasks:
            task.cancel()


class Relay:
    """Listens on a port of loopback, and carries on to wherever `target` is."""

    def __init__(self, target: Target) -> None:
        self.target = target
        # Each way.
        self.delay_s = 0.0
        self.port = 0
        self._flows = asyncio.Event()
        self._flows.set()
        self._routes: set[Route] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        # Held, so that nobody is given it while this one is closed.
        self.port = self.port or free_port()
        self._server = await asyncio.start_server(self._meet, "127.0.0.1", self.port, backlog=BACKLOG)

    async def close(self) -> None:
        self._flows.set()
        if self._server is not None:
            self._server.close()
            self._server = None
        for route in list(self._routes):
            route.abort()
        await asyncio.sleep(0)

    def silence(self) -> None:
        self._flows.clear()

    def heal(self) -> None:
        self._flows.set()

    def lose(self, target: Target) -> None:
        """Whoever was at the other end is gone without a word; who connects from now on finds another."""
        for route in self._routes:
            route.is_lost = True
        self.target = target

    def hang_up(self, target: Target) -> None:
        """The same, but everybody hears it at once."""
        for route in list(self._routes):
            route.abort()
        self.target = target

    def pick(self) -> Target | None:
        """Where a new connection goes; nothing where nobody is there for it."""
        return self.target

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        route = Route([writer])
        self._routes.add(route)
        try:
            await self._flows.wait()
            target = self.pick()
            if target is None:
                return
            far_reader, far_writer = await asyncio.open_connection(*target)
            route.writers.append(far_writer)
            ways = (self._carry(route, reader, far_writer), self._carry(route, far_reader, writer))
            route.tasks = [asyncio.create_task(way) for way in ways]
            # Whoever hangs up ends both ways; nothing here speaks on after that.
            await asyncio.wait(route.tasks, return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            pass
        finally:
            self._routes.discard(route)
            route.abort()

    async def _carry(self, route: Route, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """However long each piece takes, the next one sets out at once."""
        loop = asyncio.get_running_loop()
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(64)

        async def set_out() -> None:
            piece = b"-"
            while piece:
                try:
                    piece = await reader.read(PIECE)
                except OSError:
                    piece = b""
                await pieces.put((loop.time() + self.delay_s, piece))

        setting_out = asyncio.create_task(set_out())
        try:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(max(0.0, due - loop.time()))
                await self._flows.wait()
                if route.is_lost:
                    await asyncio.Event().wait()
                if not piece:
                    return
                writer.write(piece)
                with contextlib.suppress(OSError):
                    await writer.drain()
        finally:
            setting_out.cancel()
