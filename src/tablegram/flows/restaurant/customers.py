"""A person in the restaurant's books: what an export shows of their orders, and what an erasure leaves of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from tablegram.crm.own_data.erasing import Erased, PersonToErase, Reach
from tablegram.crm.own_data.exports import Holding
from tablegram.engine.kept_answers import KeptAnswers
from tablegram.restaurant import customers
from tablegram.restaurant.orders.brief import ContactOrder
from tablegram.storage.database import Tx
from tablegram.values.clock import Clock

# By their id, by the number that a waiter typed, or by what the order is called.
_ANSWERS = KeptAnswers(["POST /orders", "panel take"], below="POST /orders/")


def _last_at(orders: Sequence[msgspec.Struct]) -> str:
    newest = orders[0] if orders else None
    return newest.created_at if isinstance(newest, ContactOrder) else ""


HOLDING = Holding("orders", customers.briefs_of, {"orders": len, "last_order_at": _last_at}, scope="restaurant:read")


class OrderReach(Reach):
    """What was sold stays, nobody's from then on."""

    name = "orders"

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    async def traces(self, tx: Tx, person: PersonToErase) -> list[str]:
        """An order that came without a contact has its events under its own name."""
        orders = await customers.orders_of(tx, person.account_id, person.ids, person.names)
        return [order.order_id for order in orders]

    async def finish(self, tx: Tx, person: PersonToErase, swept: Erased) -> Erased:
        count = await customers.forget(tx, person.account_id, person.ids, person.names, self._clock.now_ms())
        await _ANSWERS.forget(tx, person.account_id, person.known_as)
        return Erased(count)
