"""An open page hears at once that something on it has changed."""

from __future__ import annotations

from tablegram.delivery.couriers.model import Courier
from tablegram.errors import NotFound, TooMany, Unauthorized
from tablegram.flows.delivery.couriers.page.courier_pages import CourierPages
from tablegram.web.live import LiveListeners, LiveStream, News, follow, frame

# A courier has a phone, and perhaps a second one; more is no courier.
MAX_PER_COURIER = 6
MAX_STREAMS = 1_000
# What another process did is found by looking; so is a link that was revoked.
LOOK_EVERY_S = 4.0


class Streams:
    def __init__(self, pages: CourierPages) -> None:
        self._pages = pages
        self._places: LiveListeners[str] = LiveListeners()

    def open(self, courier: Courier, key: str, token: str) -> LiveStream:
        """A stream of editions. Refuses before the first byte, so that a page is told."""
        refusal = TooMany("This page is open too often. Close the others.", retry_after_s=30)
        place = self._places.take(courier.id, MAX_PER_COURIER, refusal, most_of_all=MAX_STREAMS)
        self._pages.attend(courier.venue_id, place.bell)
        said = ""

        async def news() -> News:
            nonlocal said
            try:
                seen = await self._pages.show(await self._pages.check(key, token))
            except (NotFound, Unauthorized):
                return None
            if seen.version == said:
                return b"", False
            said = seen.version
            return frame("page", f'{{"version":"{said}"}}'.encode()), False

        def leave() -> None:
            self._pages.leave(courier.venue_id, place.bell)
            place.leave()

        return LiveStream(follow(place, news, opening=b"retry: 3000\n\n", look_every_s=LOOK_EVERY_S), leave)

    def close(self) -> None:
        """Let go of every page, so that the server can end."""
        self._places.close()
