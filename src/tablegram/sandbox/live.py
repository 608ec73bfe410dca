"""What happens on the network, told to whoever watches: a list of their own for each open page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from weakref import WeakKeyDictionary

import msgspec

from tablegram.errors import TooMany
from tablegram.web.live import LiveListener, LiveListeners, LiveStream, News, follow, frame

# A page that is this far behind is told to load afresh instead: cheaper than its backlog.
_BACKLOG = 1_000
# Two phones on a desk open two; a test opens some dozens.
_MAX_STREAMS = 500

# All events, or those of one phone.
Watched = str | None


class Live:
    def __init__(self) -> None:
        self._places: LiveListeners[Watched] = LiveListeners()
        self._waiting: WeakKeyDictionary[LiveListener[Watched], list[bytes]] = WeakKeyDictionary()

    @property
    def watched(self) -> bool:
        return self._places.listening > 0

    def publish(self, event: str, data: object, phone: Watched = None) -> None:
        """Tell everyone who watches that phone, or everything. Costs nothing while nobody does."""
        if not self.watched:
            return
        told = frame(event, msgspec.json.encode(data))
        for place, waiting in self._waiting.items():
            if place.key is not None and phone is not None and place.key != phone:
                continue
            if len(waiting) >= _BACKLOG:
                waiting[:] = [frame("reload", b"{}")]
            else:
                waiting.append(told)
            place.bell.ring()

    def watch(self, phone: Watched = None) -> AsyncIterator[bytes]:
        """Server-sent events, until the watcher leaves or the network stops."""
        refusal = TooMany("Too many pages watch the sandbox. Close some.", code="too_many_streams", retry_after_s=5)
        place = self._places.take(phone, _MAX_STREAMS, refusal)
        waiting = self._waiting[place] = []

        async def news() -> News:
            told = b"".join(waiting)
            waiting.clear()
            return told, False

        def leave() -> None:
            self._waiting.pop(place, None)
            place.leave()

        return LiveStream(follow(place, news, opening=b"retry: 1000\n" + frame("hello", b"{}")), leave)

    def close(self) -> None:
        """End every stream, so that the server can stop."""
        self._places.close()
