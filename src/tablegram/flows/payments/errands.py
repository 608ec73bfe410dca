"""What is done after a commit for links that belong to something: providers are called, and what changed is told."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from tablegram.errors import NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.payments.caretaking import Caretaker
from tablegram.payments.keeping import Payments
from tablegram.payments.model import Link
from tablegram.restaurant.venues import Venue

# What was made in a transaction that is not committed yet is tried again with the next one of its venue.
MAX_TRIES = 3

Spawn = Callable[[str, Coroutine[Any, Any, Any]], object]


class Errands:
    def __init__(self, payments: Payments, caretaker: Caretaker, ordering: Ordering, spawn: Spawn) -> None:
        self._payments = payments
        self._caretaker = caretaker
        self._ordering = ordering
        self._spawn = spawn
        # By venue, links and refunds to see to; by link, what it announces.
        self._due: dict[str, dict[str, tuple[Link, str, int]]] = {}
        self._announced: dict[str, list[tuple[Venue, list[Statement]]]] = {}

    def join(self) -> None:
        self._ordering.listeners.append(self._told_of_orders)
        self._payments.listeners.append(self._told_of_link)

    def see_to(self, venue_id: str, link: Link, refund_id: str = "") -> None:
        """Call within a transaction: its link, or a refund of it, needs the provider."""
        self._due.setdefault(venue_id, {})[refund_id or link.id] = (link, refund_id, 0)

    def announce(self, link: Link, venue: Venue, statements: list[Statement]) -> None:
        """Call within a transaction: whoever tells of the link tells of this too."""
        self._announced.setdefault(link.id, []).append((venue, statements))

    def _told_of_orders(self, venue: Venue) -> None:
        for link, refund_id, tries in self._due.pop(venue.id, {}).values():
            self._payments.told(link)
            self._spawn("see to a link", self._hurry(venue.id, link, refund_id, tries))

    def _told_of_link(self, link: Link) -> None:
        for venue, statements in self._announced.pop(link.id, ()):
            self._ordering.told(venue, statements)

    async def _hurry(self, venue_id: str, link: Link, refund_id: str, tries: int) -> None:
        """At once, because a guest waits; whatever fails here is taken up by the drain."""
        try:
            if refund_id:
                await self._caretaker.hurry_refund(link.account_id, refund_id)
            else:
                await self._caretaker.hurry(link.account_id, link.id)
        except (NotFound, AssertionError):
            if tries < MAX_TRIES:
                # Of a transaction that is still under way: its own commit is told next.
                self._due.setdefault(venue_id, {})[refund_id or link.id] = (link, refund_id, tries + 1)
