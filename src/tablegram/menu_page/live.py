"""Open pages hear at once that the menu changed, or that the venue opened or closed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from tablegram.errors import TooMany
from tablegram.flows.restaurant.guests.watching import MenuWatch
from tablegram.values.http.addresses import limit_key

# A stream costs some kilobytes; more than these at once is no full house but mischief.
MAX_STREAMS = 2_000
# All guests of a restaurant may share one address.
MAX_PER_ADDRESS = 300
HEARTBEAT_S = 20.0
# A page that heard nothing for so long asks again, also when whoever stands between keeps the line open.
_RETRY = b"retry: 3000\n\n"

_encode = msgspec.json.Encoder().encode


class Streams:
    def __init__(self, watch: MenuWatch) -> None:
        self._watch = watch
        self._open: Counter[str] = Counter()
        self._endings: set[asyncio.Event] = set()

    def open(self, venue_id: str, remote: str) -> AsyncIterator[bytes]:
        """A stream of notices. Refuses before the first byte, so that a page is told."""
        # Counted as requests are: a household has more addresses of the new kind than it could ever use up.
        household = limit_key(remote)
        if self._open.total() >= MAX_STREAMS or self._open[household] >= MAX_PER_ADDRESS:
            raise TooMany("Too many pages listen at once. This one asks again by itself.", retry_after_s=30)
        return self._frames(venue_id, household)

    async def _frames(self, venue_id: str, remote: str) -> AsyncIterator[bytes]:
        end = asyncio.Event()
        self._endings.add(end)
        self._open[remote] += 1
        ended = asyncio.ensure_future(end.wait())
        notices = self._watch.subscribe(venue_id)
        following: asyncio.Future[Any] | None = None
        try:
            yield _RETRY
            while not end.is_set():
                following = following or asyncio.ensure_future(anext(notices, None))
                await asyncio.wait({following, ended}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
                if not following.done():
                    yield b": still here\n\n"
                    continue
                notice, following = following.result(), None
                if notice is None:
                    return
                yield b"event: menu\ndata: " + _encode(notice) + b"\n\n"
        finally:
            self._endings.discard(end)
            self._open[remote] -= 1
            if not self._open[remote]:
                del self._open[remote]
            ended.cancel()
            if following is not None:
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
            close = getattr(notices, "aclose", None)
            if close is not None:
                await close()

    @property
    def listening(self) -> int:
        return self._open.total()

    def close(self) -> None:
        """Let go of every page, so that the server can end."""
        for end in self._endings:
            end.set()
