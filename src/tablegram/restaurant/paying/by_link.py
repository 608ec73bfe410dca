"""What people of the restaurant do to an order that is paid online."""

from __future__ import annotations

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.paying.ports import OnlineMoney
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.money import from_wire


async def by_link(
    tx: Tx, online: OnlineMoney | None, venue: Venue, order: Order, action: str, who: str, now: int, *,
    amount: float | None, lines: tuple[int, ...], reason: str,
) -> OrderChange | None:  # fmt: skip
    """Send the link, or give back what came by it; nothing for any other action. The order changes when its link does."""
    if action == "send_link":
        if online is None:
            raise Conflict("This order cannot be paid online.", code="online_not_offered")
        await online.send_link(tx, venue, order, who, now)
        return OrderChange(order, order, changed=False)
    if action != "refund":
        return None
    minor = None if amount is None else _minor(amount, order.currency)
    asked = online is not None and await online.refund(
        tx, order, who, now, amount=minor, lines=lines, reason=tidy(reason)
    )
    if not asked and (minor is not None or lines):
        raise Conflict("Only what was paid online is given back in parts.", code="payment_conflict")
    return OrderChange(order, order, changed=False) if asked else None


def _minor(amount: float, currency: str) -> int:
    try:
        return from_wire(amount, currency)
    except ValueError as error:
        raise Invalid.field("amount", "amount_wrong", f"This is no amount of {currency}: {error}.") from None
