"""Orders without a table's bill that a gift card pays for, all of it or a part."""

from __future__ import annotations

from tablegram.restaurant.orders import payments
from tablegram.restaurant.orders.keeping import OrderChange, keep, must
from tablegram.restaurant.orders.model import Order, OrderChanges
from tablegram.restaurant.orders.payments import Payment
from tablegram.restaurant.orders.states import CLOSED, Actor, move
from tablegram.storage.database import Tx


def takes_gifts(order: Order) -> bool:
    """Who sits at a table pays its bill."""
    is_owed = order.state not in CLOSED and order.payment_state not in ("paid", "refunded") and order.total > 0
    return is_owed and order.tab_id is None and order.table_id is None


async def pay(
    tx: Tx, order: Order, amount: int, by: Actor, who: str, now: int, promised_at: int
) -> tuple[Payment, OrderChange]:
    """The order is locked already. What waited for money goes to the kitchen when nothing is left to pay."""
    must(move(order.standing, "pay_gift", by))
    payment, paid = await payments.spend_gift(tx, order, amount, who, now)
    moved = must(move(order.standing, "pay_gift", by, payment_state=paid))
    promised: OrderChanges = {"promised_at": promised_at} if moved.enters_kitchen else {}
    return payment, await keep(tx, order, moved, "pay_gift", now, who, "", promised)
