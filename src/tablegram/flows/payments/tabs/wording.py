"""What is told to whom a bill's payment link was sent by message."""

from __future__ import annotations

from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.flows.restaurant.texts.said import is_told_enough
from tablegram.payments.model import Link, Refund
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.figures.writing import clock
from tablegram.values.money import written
from tablegram.values.opening_hours import zone


class TabTelling:
    def __init__(self, telling: Telling) -> None:
        self._telling = telling

    async def link(self, tx: Tx, venue: Venue, table: str, link: Link, now: int) -> None:
        time = clock(link.expires_at, zone(venue.time_zone))
        await self._say(tx, venue, table, link, "bill_pay_here", link.amount, now, time=time, url=link.url)

    async def paid(self, tx: Tx, venue: Venue, table: str, link: Link, now: int) -> None:
        await self._say(tx, venue, table, link, "bill_paid_thanks", link.received, now)

    async def refunded(self, tx: Tx, venue: Venue, table: str, link: Link, refund: Refund, now: int) -> None:
        await self._say(tx, venue, table, link, "bill_refunded", refund.amount, now)

    async def _say(
        self, tx: Tx, venue: Venue, table: str, link: Link, kind: str, amount: int, now: int, **facts: str
    ) -> None:
        """Not again and again: the number is one that staff typed."""
        if not link.phone or await is_told_enough(tx, venue.account_id, link.phone, now):
            return
        total = written(amount, link.currency, link.language)
        text = speak(link.language)[kind].format(venue=venue.name, table=table, total=total, **facts)
        await self._telling.say(tx, venue, link.phone, text, now)
