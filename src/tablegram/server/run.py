"""The HTTP server, set up once for everybody who starts it."""

from __future__ import annotations

import asyncio
import gc
import select
import socket
from types import FrameType
from typing import Any

import uvicorn

from tablegram.server.callers import Callers
from tablegram.server.crowd import Crowd, open_files
from tablegram.server.leaving import HURRY, Leaving
from tablegram.server.protocol import HEAD_WITHIN_S, STALLED_S, protocol_with
from tablegram.server.siblings import is_watched
from tablegram.settings import Settings
from tablegram.web.addresses import Addresses
from tablegram.web.framework.late import settle

# Once the port is closed everything must end within 10 s; the rest is for closing the store.
GRACE_S = 6
# While a server leaves: how soon it notices that it is to hurry.
TICK_S = 0.1
# Passes of the event loop when nobody waits at the port any more: one takes the last caller, the next reads what they say.
LAST_LOOKS = 3
# Each pass takes one caller. Where they never end, the port closes all the same.
LAST_LOOKS_S = 1.0
# Above the outgoing client's own, so that our side never closes a connection that a caller is about to use.
KEEP_ALIVE_S = 75
BACKLOG = 2_048
# Of the files that may be open: the rest is for the store, for calls that go out, and for whoever is about to be let go.
CONNECTED_SHARE = 0.625
WAITING_SHARE = 0.125


def build_server(
    app: Any, settings: Settings, *, head_within_s: float = HEAD_WITHIN_S, stalled_s: float = STALLED_S
) -> Server:
    """A server for the whole application, not yet listening."""
    files = open_files()
    room = int(files * CONNECTED_SHARE)
    addresses = Addresses(settings.trusted_proxies)
    per_address = settings.connections_per_address
    leaving = Leaving()
    crowd = Crowd(min(settings.max_connections or room, room), per_address, addresses.is_trusted)
    config = uvicorn.Config(
        Callers(app, addresses, per_address) if per_address and settings.trusted_proxies else app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=protocol_with(
            settings.max_header_bytes,
            head_within_s=head_within_s,
            drain_within_s=settings.body_idle_s,
            stalled_s=stalled_s,
            crowd=crowd,
            leaving=leaving,
        ),
        # It cannot be told from a product that passes its requests on as they are.
        interface="asgi3",
        ws="none",
        lifespan="on",
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        # Forwarded addresses are believed by our own rule (TRUSTED_PROXIES), never by the server's.
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        backlog=min(BACKLOG, int(files * WAITING_SHARE)),
    )
    return Server(config, app, leaving, settings.leave_s)


def settle_memory() -> None:
    """Call once everything is loaded: what lives as long as the process is not looked through again and again.

    The collector otherwise stops every request for tens of milliseconds each time it walks the modules and the
    phone numbers' metadata. Requests leave few cycles behind, so it can also look less often.
    """
    settle()
    gc.set_threshold(50_000, 20, 100)


class Server(uvicorn.Server):
    """Leaves before it ends, and lets nobody be cut off who was there in time.

    It ends live streams first: uvicorn waits for open answers before it says goodbye, and a stream never ends by itself.
    """

    def __init__(self, config: uvicorn.Config, app: Any, leaving: Leaving, leave_s: float) -> None:
        super().__init__(config)
        self._app = app
        self._leaving = leaving
        self._leave_s = leave_s
        self.grace_s: float = GRACE_S

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        # Of several that share a port: what is told to all of them at once is told once.
        self._is_watched = is_watched()
        if self._is_watched:
            self._loop.add_signal_handler(HURRY, self._leaving.hurry)
        await super().serve(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Told once to end, it leaves; told again, it waits for nobody. What it holds is handed over all the same."""
        if self.should_exit and not self._is_watched:
            self._loop.call_soon_threadsafe(self._leaving.hurry)
        self._captured_signals.append(sig)
        self.should_exit = True

    async def main_loop(self) -> None:
        await super().main_loop()
        if self._leave_s:
            await self._leave()

    async def _leave(self) -> None:
        """Still take what comes, while others learn that they should look elsewhere."""
        self._leaving.has_begun = True
        for connection in list(self.server_state.connections):
            connection.announce_end()  # type: ignore[union-attr]
        if leave := getattr(self._app, "leave", None):
            leave()
        until, counter = self._loop.time() + self._leave_s, 0
        while self._loop.time() < until and not self._leaving.is_hurried:
            # The date of the answers goes on.
            await self.on_tick(counter)
            counter += 1
            await asyncio.sleep(TICK_S)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leaving.has_begun = True
        if end_streams := getattr(self._app, "end_streams", None):
            end_streams()
        await self._take_who_waits()
        cutting = asyncio.create_task(self._cut_off())
        try:
            await super().shutdown(sockets)
        finally:
            cutting.cancel()

    async def _take_who_waits(self) -> None:
        """Who has called by now is taken, and what has come is read: closing would cut it off."""
        port = select.poll()
        for listener in (one for server in self.servers for one in server.sockets):
            port.register(listener.fileno(), select.POLLIN)
        until = self._loop.time() + LAST_LOOKS_S
        # No bell rings for it, and each pass of the loop is a look.
        while port.poll(0) and self._loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(0)
        for _ in range(LAST_LOOKS):
            await asyncio.sleep(0)

    async def _wait_tasks_to_complete(self) -> None:
        """Whose request is not whole by then is let go: who would answer it has ended as well."""
        try:
            async with asyncio.timeout(self.grace_s):
                await super()._wait_tasks_to_complete()
        except TimeoutError:
            for connection in list(self.server_state.connections):
                connection.hang_up()  # type: ignore[union-attr]
            if self.server_state.tasks:
                # Their tasks are cancelled, and the log says so.
                raise

    async def _cut_off(self) -> None:
        """End what is under way as soon as nobody is to be waited for."""
        await self._leaving.hurried()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
