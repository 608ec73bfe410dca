"""Who brings a guest's order, as far as guests are told: a first name, while it is on its way."""

from __future__ import annotations

from tablegram.delivery.tours import keeping as tours
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Tx


async def brought_by(tx: Tx, order: Order) -> str:
    """The courier's first name; empty where nobody is on the way with it."""
    if order.state != "out_for_delivery":
        return ""
    name = await tours.bringer(tx, order.account_id, order.id)
    return name.split()[0] if name else ""
