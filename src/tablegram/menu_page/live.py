"""Open pages hear at once that the menu changed, that the venue opened or closed, or that an order moved on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec

from tablegram.engine.timers import Bell
from tablegram.errors import NotFound, TooMany
from tablegram.flows.restaurant.guests.following import OrderWatch
from tablegram.flows.restaurant.guests.watching import LOOK_EVERY_S, MenuWatch
from tablegram.web.addresses import limit_key
from tablegram.web.live import LiveStream, News, Places, follow, frame

# A stream costs some kilobytes; more than these at once is no full house but mischief.
MAX_STREAMS = 2_000
# All guests of a restaurant may share one address.
MAX_PER_ADDRESS = 300
# The same again now and then: a page that heard nothing for so long asks by itself, also when whoever stands between
# keeps the line open.
REPEAT_EVERY_S = 20.0

_encode = msgspec.json.Encoder().encode
Look = Callable[[], Awaitable[dict[str, Any]]]


class Room(Protocol):
    """Where one waits for news of a venue."""

    def attend(self, venue_id: str, bell: Bell) -> None: ...

    def leave(self, venue_id: str, bell: Bell) -> None: ...


class Streams:
    def __init__(self, watch: MenuWatch) -> None:
        self._watch = watch
        self._places: Places[str] = Places()

    def open(self, venue_id: str, remote: str) -> LiveStream:
        """How a venue and its menu stand."""
        return self._follow("menu", self._watch, venue_id, lambda: self._watch.look(venue_id), remote)

    def open_order(self, watch: OrderWatch, venue_id: str, token: str, remote: str) -> LiveStream:
        """That an order has moved on."""
        return self._follow("order", watch, venue_id, lambda: watch.look(token), remote)

    def _follow(self, event: str, watch: Room, venue_id: str, look: Look, remote: str) -> LiveStream:
        """A stream of notices. Refuses before the first byte, so that a page is told."""
        refusal = TooMany("Too many pages listen at once. This one asks again by itself.", retry_after_s=30)
        # Counted as requests are: a household has more addresses of the new kind than it could ever use up.
        place = self._places.take(limit_key(remote), MAX_PER_ADDRESS, refusal, most_of_all=MAX_STREAMS)
        watch.attend(venue_id, place.bell)
        last: dict[str, Any] | None = None
        said_s = 0.0

        async def news() -> News:
            nonlocal last, said_s
            try:
                seen = await look()
            except NotFound:
                return None
            if seen == last and time.monotonic() - said_s < REPEAT_EVERY_S:
                return b"", False
            last, said_s = seen, time.monotonic()
            return frame(event, _encode(seen)), False

        def leave() -> None:
            watch.leave(venue_id, place.bell)
            place.leave()

        frames = follow(place, news, opening=b"retry: 3000\n\n", look_every_s=LOOK_EVERY_S)
        return LiveStream(frames, leave)

    @property
    def listening(self) -> int:
        return self._places.listening

    def close(self) -> None:
        """Let go of every page, so that the server can end."""
        self._places.close()
