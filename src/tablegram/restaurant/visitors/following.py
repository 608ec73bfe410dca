"""Following one order: by the link that its guest has, and told when something about it may have changed.

What this process does is told at once; what another one does is found by looking every few seconds.
"""

from __future__ import annotations

import msgspec

from tablegram.engine.timers import Bell, Bells
from tablegram.errors import NotFound, no_such
from tablegram.restaurant import venues
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import State
from tablegram.restaurant.orders.tokens import is_right, order_key
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.secrets import SecretBox


class OrderGlance(msgspec.Struct, frozen=True):
    """Which edition of an order there is."""

    status: State
    updated_ms: int


async def order_by_token(tx: Tx, box: SecretBox, token: str) -> tuple[Venue, Order]:
    """The order behind a guest's link. A link that was made up is told from none."""
    unknown = NotFound("There is no such order.", code="order_unknown")
    row = await tx.first(order_store.ANYWHERE, {"b_id": order_key(token)})
    if row is None:
        raise unknown
    try:
        venue = await venues.find_ever(tx, row["account_id"], row["venue_id"])
    except NotFound:
        raise unknown from None
    if not is_right(box, venue, token):
        raise unknown
    return venue, from_row(row)


class OrderWatch:
    def __init__(self, db: Database, box: SecretBox) -> None:
        self._db = db
        self._box = box
        self._bells: Bells[str] = Bells()

    def told(self, venue: Venue) -> None:
        """Something about an order of the venue was committed. Costs nothing when nobody looks."""
        self._bells.ring(venue.id)

    def attend(self, venue_id: str, bell: Bell) -> None:
        self._bells.attend(venue_id, bell)

    def leave(self, venue_id: str, bell: Bell) -> None:
        self._bells.leave(venue_id, bell)

    async def find(self, token: str) -> tuple[Venue, Order]:
        return await self._db.snapshot(lambda tx: order_by_token(tx, self._box, token))

    async def look(self, token: str, venue_id: str | None = None) -> OrderGlance:
        """Which edition of the order there is; what is in it is asked for where it has changed."""
        venue, order = await self.find(token)
        if venue_id not in (None, venue.id):
            raise NotFound(no_such("order", "venue"), code="order_unknown")
        return OrderGlance(order.state, order.updated_at)
