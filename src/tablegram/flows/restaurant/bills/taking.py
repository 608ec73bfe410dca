"""Money that is taken against a locked bill by people of the restaurant, a gift card among it."""

from __future__ import annotations

import msgspec

from tablegram.errors import Invalid
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.restaurant.bills import keeping
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.model import Bill, TabPayment
from tablegram.restaurant.bills.splitting import Split
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx


async def take(
    tx: Tx, ordering: Ordering, venue: Venue, bill: Bill, taking: Taking, gift_code: str | None, now: int
) -> tuple[TabPayment, list[OrderChange], int | None]:
    """The payment, what it changed of orders, and what is left on the gift card that paid it, if one did."""
    if taking.method != "gift":
        if gift_code:
            raise Invalid.field(
                "gift_code", "gift_code_unneeded", "Only a gift card has a code. Leave `gift_code` out."
            )
        return *await keeping.take(tx, bill, taking, now), None
    if not gift_code:
        raise Invalid.field("gift_code", "gift_code_missing", "Type the code of the gift card.")
    if taking.tip:
        raise Invalid.field("tip", "tip_by_gift", "A gift card pays the bill. Take the tip in cash or by card.")
    if ordering.gifts is None:
        raise Invalid.field("method", "gift_unknown", "There are no gift cards here.")
    gift = await ordering.gifts.hold(tx, venue, gift_code, now)
    if taking.split == Split() and gift.balance < bill.open:
        taking = msgspec.structs.replace(taking, split=Split(amount=gift.balance))
    payment, changes = await keeping.take(tx, bill, taking, now)
    return payment, changes, await ordering.gifts.spend(tx, venue, gift.id, payment, now)
