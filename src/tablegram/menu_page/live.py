"""Open pages hear at once that the menu changed, that the venue opened or closed, or that an order moved on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from tablegram.engine.timers import Bell
from tablegram.errors import NotFound, TooMany
from tablegram.flows.restaurant.guests.watching import LOOK_EVERY_S, MenuWatch
from tablegram.restaurant.visitors.following import OrderWatch
from tablegram.web.addresses import limit_key
from tablegram.web.live import LiveListeners, LiveStream, News, follow, frame

# A stream costs some kilobytes; more than these at once is no full house but mischief.
MAX_STREAMS = 2_000
# All guests of a restaurant may share one address.
MAX_PER_ADDRESS = 300
# The same again now and then: a page that heard nothing for so long asks by itself, also when whoever stands between
# keeps the line open.
REPEAT_EVERY_S = 20.0
# A phone shows its last orders beside the menu, and no more than these.
MAX_ORDERS = 3

_encode = msgspec.json.Encoder().encode
Look = Callable[[], Awaitable[msgspec.Struct]]


class PhonesOrder(msgspec.Struct, frozen=True):
    """Which edition of an order there is, for a page that follows several."""

    token: str
    status: str
    updated_ms: int


class Room(Protocol):
    """Where one waits for news of a venue."""

    def attend(self, venue_id: str, bell: Bell) -> None: ...

    def leave(self, venue_id: str, bell: Bell) -> None: ...


@dataclass(slots=True)
class Topic:
    """Something that a page follows, and what was last said of it."""

    event: str
    room: Room
    look: Look
    # The stream ends with the thing that it is about; what is followed beside it just falls silent.
    is_main: bool = True
    last: msgspec.Struct | None = None
    said_s: float = 0.0

    async def news(self) -> bytes | None:
        try:
            seen = await self.look()
        except NotFound:
            return None
        if seen == self.last and time.monotonic() - self.said_s < REPEAT_EVERY_S:
            return b""
        self.last, self.said_s = seen, time.monotonic()
        return frame(self.event, _encode(seen))


def beside_the_menu(watch: OrderWatch, venue_id: str, tokens: Sequence[str]) -> list[Topic]:
    """The orders of a phone, as it has ordered them at this venue; links that lead nowhere are passed over."""

    def topic(token: str) -> Topic:
        async def look() -> PhonesOrder:
            seen = await watch.look(token, venue_id)
            return PhonesOrder(token, seen.status, seen.updated_ms)

        return Topic("order", watch, look, is_main=False)

    return [topic(token) for token in dict.fromkeys(tokens) if token][:MAX_ORDERS]


class Streams:
    def __init__(self, watch: MenuWatch) -> None:
        self._watch = watch
        self._places: LiveListeners[str] = LiveListeners()

    def open(self, venue_id: str, remote: str, beside: Sequence[Topic] = ()) -> LiveStream:
        """How a venue and its menu stand, and what else the page follows there."""
        menu = Topic("menu", self._watch, lambda: self._watch.look(venue_id))
        return self._follow([menu, *beside], venue_id, remote)

    def open_order(self, watch: OrderWatch, venue_id: str, token: str, remote: str) -> LiveStream:
        """That an order has moved on."""
        return self._follow([Topic("order", watch, lambda: watch.look(token))], venue_id, remote)

    def _follow(self, topics: list[Topic], venue_id: str, remote: str) -> LiveStream:
        """A stream of notices. Refuses before the first byte, so that a page is told."""
        refusal = TooMany("Too many pages listen at once. This one asks again in a moment.", retry_after_s=30)
        # Counted as requests are: a household has more addresses of the new kind than it could ever use up.
        place = self._places.take(limit_key(remote), MAX_PER_ADDRESS, refusal, most_of_all=MAX_STREAMS)
        rooms = {id(topic.room): topic.room for topic in topics}.values()
        for room in rooms:
            room.attend(venue_id, place.bell)

        async def news() -> News:
            frames = []
            for topic in list(topics):
                found = await topic.news()
                if found is None and topic.is_main:
                    return None
                if found is None:
                    topics.remove(topic)
                else:
                    frames.append(found)
            return b"".join(frames), False

        def leave() -> None:
            for room in rooms:
                room.leave(venue_id, place.bell)
            place.leave()

        frames = follow(place, news, opening=b"retry: 3000\n\n", look_every_s=LOOK_EVERY_S)
        return LiveStream(frames, leave)

    @property
    def listening(self) -> int:
        return self._places.listening

    def close(self) -> None:
        """Let go of every page, so that the server can end."""
        self._places.close()
