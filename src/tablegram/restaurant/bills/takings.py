"""The money that came in over a stretch of time, however it came; and what of the orders placed then nobody has paid."""

from __future__ import annotations

import msgspec

from tablegram.restaurant.bills import takings_store as store
from tablegram.restaurant.bills.model import METHODS
from tablegram.storage.database import Tx

# A card at the door is a card.
_METHOD = {**{name: method for method, name in METHODS.items()}, "card_on_delivery": "card"}


class Takings(msgspec.Struct, kw_only=True):
    """Minor units. What was given back is taken off where it went back; tips are beside it."""

    paid: int = 0
    tips: int = 0
    let_off: int = 0
    # Of the orders of this time: what can still be paid, and what nobody will pay any more.
    open: int = 0
    unpaid: int = 0
    # cash, card and online; and by who took it.
    by_method: dict[str, int] = {}
    by_person: dict[str, int] = {}


async def count(tx: Tx, account_id: int, venue_id: str, currency: str, since: int, until: int) -> Takings:
    """Both kinds of rows: payments of bills, and payments of orders that no bill was paid for."""
    which = {
        "b_account": account_id, "b_venue": venue_id, "b_currency": currency, "since": since, "until": until,
    }  # fmt: skip
    found = Takings(by_method={}, by_person={})
    for row in [*await tx.all(store.BILLS, which), *await tx.all(store.ALONE, which)]:
        sign = 1 if row["kind"] == "payment" else -1
        amount, method = sign * int(row["amount"]), str(_METHOD.get(row["method"], row["method"]))
        found.paid += amount
        found.tips += sign * int(row["tip"] or 0)
        found.by_method[method] = found.by_method.get(method, 0) + amount
        found.by_person[row["by"]] = found.by_person.get(row["by"], 0) + amount
    for row in await tx.all(store.OWED, which):
        left = int(row["amount"] or 0)
        if row["state"] == "completed":
            found.unpaid += left
        else:
            found.open += left
    given = await tx.first(store.LET_OFF, which)
    found.let_off = int(given["amount"] or 0) if given else 0
    return found
