"""What an answerer said to guests of venues, until it is committed."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.restaurant.venues import Venue


class Spoken:
    """Venues that something was said for, in transactions that are under way."""

    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self._venues: dict[str, Venue] = {}

    def add(self, venue: Venue) -> None:
        self._venues[venue.id] = venue

    def committed(self) -> None:
        """The lines may send it."""
        venues, self._venues = self._venues, {}
        for venue in venues.values():
            self._ordering.told(venue, [])
