"""Words carried by a NATS server. The library is an extra, and is loaded only where the settings name a server.

The words are plain messages on one subject of the installation: nothing is kept by the server, since nothing needs it.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from tablegram.errors import Misconfigured

log = logging.getLogger("tablegram.bus")

CONNECT_WITHIN_S = 5.0
CLOSE_WITHIN_S = 1.0
TRY_AGAIN_S = 0.1
# The library asks the server by itself as well; ours notices a dead one sooner.
PING_EVERY_S = 30


class NatsCarrier:
    name = "nats"
    # A message here costs no commit, so that what follows close on a word need not wait long: a drain is called right after a feed.
    gather_s = 0.01

    def __init__(self, url: str, subject: Callable[[], Awaitable[str]]) -> None:
        """`url`: one address or several, comma-separated. `subject`: what nobody but this installation speaks on."""
        if importlib.util.find_spec("nats") is None:
            raise Misconfigured("TABLEGRAM_NATS_URL needs the extra `nats`: pip install 'tablegram[nats]'.")
        self._urls = [one.strip() for one in url.split(",") if one.strip()]
        self._subject = subject

    async def connect(self, heard: Callable[[str], None], broken: Callable[[], None]) -> NatsLink:
        library = importlib.import_module("nats")

        async def ended() -> None:
            broken()

        async def hear(message: Any) -> None:
            heard(message.data.decode(errors="replace"))

        try:
            connection = await library.connect(
                self._urls,
                name="tablegram",
                # Whoever holds the bus connects again, for every carrier in the same way.
                allow_reconnect=False,
                # Each server is tried, twice, before none is there.
                max_reconnect_attempts=1,
                reconnect_time_wait=TRY_AGAIN_S,
                no_echo=True,
                connect_timeout=CONNECT_WITHIN_S,
                drain_timeout=CLOSE_WITHIN_S,
                ping_interval=PING_EVERY_S,
                max_outstanding_pings=1,
                error_cb=_note,
                closed_cb=ended,
            )
        except _troubles() as error:
            # Addresses hold passwords, so that the library's own words stay out of ours.
            raise OSError(f"no NATS server lets us in ({type(error).__name__})") from None
        link = NatsLink(connection, await self._subject())
        try:
            await connection.subscribe(link.subject, cb=hear)
            await link.probe(CONNECT_WITHIN_S)
        except _troubles() as error:
            await link.close()
            raise OSError(f"the NATS server left ({type(error).__name__})") from None
        return link


class NatsLink:
    def __init__(self, connection: Any, subject: str) -> None:
        self._connection = connection
        self.subject = subject

    @property
    def is_open(self) -> bool:
        return bool(self._connection.is_connected)

    async def send(self, words: str) -> None:
        try:
            await self._connection.publish(self.subject, words.encode())
        except _troubles() as error:
            raise OSError(f"the NATS server left ({type(error).__name__})") from None

    async def probe(self, within_s: float) -> None:
        try:
            await self._connection.flush(timeout=within_s)
        except _troubles() as error:
            raise OSError(f"the NATS server does not answer ({type(error).__name__})") from None

    async def close(self) -> None:
        try:
            await self._connection.close()
        except _troubles() as error:
            log.debug("a connection was already gone (%s)", type(error).__name__)


async def _note(error: Exception) -> None:
    """The library prints a trace for each trouble; the bus tells of it in its own way."""
    log.debug("NATS: %s", type(error).__name__)


def _troubles() -> tuple[type[Exception], ...]:
    return (importlib.import_module("nats.errors").Error, OSError, TimeoutError, ValueError)
