"""What guests redeem is let off like anything else: an amount of one order, with its reason, that takings count."""

from __future__ import annotations

import msgspec

from tablegram.restaurant.bills import store
from tablegram.restaurant.bills.model import Discount
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Tx

# Of an order's discounts: what was redeemed, by the redemption's own id.
REWARD = "reward"


def rewards_of(order: Order | None) -> dict[str, Extra]:
    found = () if order is None else order.discounts
    return {one.ref: one for one in found if one.kind == REWARD and one.ref}


async def note(tx: Tx, order: Order, extra: Extra, by: str, now: int) -> None:
    """Takings count it from now on; an order at no table has no bill, and counts all the same."""
    kept = Discount(
        account_id=order.account_id, id=extra.ref, venue_id=order.venue_id, tab_id=order.tab_id or "", order_key=order.id,
        amount=extra.amount, reason=extra.name, by=by, created_at=now,
    )  # fmt: skip
    await tx.run(store.INSERT_DISCOUNT, msgspec.structs.asdict(kept))


async def change(tx: Tx, account_id: int, extra: Extra) -> None:
    """It takes less off than before."""
    await tx.run(store.SET_DISCOUNT, {"b_account": account_id, "b_id": extra.ref, "new_amount": extra.amount})


async def take_back(tx: Tx, account_id: int, ref: str, by: str, now: int) -> None:
    await tx.run(store.REMOVE_DISCOUNT, {"b_account": account_id, "b_id": ref, "now": now, "by": by})
