"""The HTTP server, set up once for everybody who starts it."""

from __future__ import annotations

import gc
import socket
from typing import Any

import uvicorn

from tablegram.server.callers import Callers
from tablegram.server.crowd import Crowd, open_files
from tablegram.server.protocol import HEAD_WITHIN_S, STALLED_S, protocol_with
from tablegram.settings import Settings
from tablegram.web.addresses import Addresses
from tablegram.web.framework.late import settle

# SIGTERM must end everything within 10 s; the rest is for closing the store.
GRACE_S = 6
# Above the outgoing client's own, so that our side never closes a connection that a caller is about to use.
KEEP_ALIVE_S = 75
BACKLOG = 2_048
# Of the files that may be open: the rest is for the store, for calls that go out, and for whoever is about to be let go.
CONNECTED_SHARE = 0.625
WAITING_SHARE = 0.125


def build_server(
    app: Any, settings: Settings, *, head_within_s: float = HEAD_WITHIN_S, stalled_s: float = STALLED_S
) -> uvicorn.Server:
    """A server for the whole application, not yet listening."""
    files = open_files()
    room = int(files * CONNECTED_SHARE)
    addresses = Addresses(settings.trusted_proxies)
    per_address = settings.connections_per_address
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
        timeout_graceful_shutdown=GRACE_S,
        backlog=min(BACKLOG, int(files * WAITING_SHARE)),
    )
    return Server(config, app)


def settle_memory() -> None:
    """Call once everything is loaded: what lives as long as the process is not looked through again and again.

    The collector otherwise stops every request for tens of milliseconds each time it walks the modules and the
    phone numbers' metadata. Requests leave few cycles behind, so it can also look less often.
    """
    settle()
    gc.set_threshold(50_000, 20, 100)


class Server(uvicorn.Server):
    """Ends live streams first: uvicorn waits for open answers before it says goodbye, and a stream never ends by itself."""

    def __init__(self, config: uvicorn.Config, app: Any) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        end_streams = getattr(self._app, "end_streams", None)
        if end_streams is not None:
            end_streams()
        await super().shutdown(sockets)
