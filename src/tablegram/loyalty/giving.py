"""Coupons that one guest is given: for a welcome, a birthday or a while without them, once for each occasion."""

from __future__ import annotations

import msgspec

from tablegram.errors import Conflict, Invalid
from tablegram.loyalty import coupons
from tablegram.loyalty.coupons import Coupon, Gives, Kind
from tablegram.loyalty.store import coupons as store
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tablegram.values.money import is_currency

MAX_DAYS = 366
# A code that somebody has is drawn anew.
_DRAWS = 5


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a guest is given, in minor units and hundredths of a percent. It holds for `days`, and once."""

    kind: Kind
    name: str
    gives: Gives
    percent: int = 0
    amount: int = 0
    currency: str = ""
    item_id: str | None = None
    category_id: str | None = None
    minimum: int = 0
    venue_id: str | None = None
    order_types: tuple[str, ...] = ()
    days: int = 30


def check(offer: Offer) -> None:
    """Raises `Invalid` with every field that is wrong."""
    if not 1 <= offer.days <= MAX_DAYS:
        raise Invalid.field("days", "out_of_range", f"A coupon is valid for 1 to {MAX_DAYS} days.")
    if (offer.amount or offer.minimum or offer.currency) and not is_currency(offer.currency):
        raise Invalid.field("currency", "currency_missing", "Say in which currency the amount is.")
    coupons.check(_made(offer, 0, "", "", 0, ""))


async def give(tx: Tx, account_id: int, contact_id: str, offer: Offer, occasion: str, now: int, *, by: str) -> Coupon:
    """A coupon of this guest alone; the one that they have where they were given it before.

    `occasion` names what it is given for, once for a guest: an automation and its occasion.
    """
    check(offer)
    made = _made(offer, account_id, contact_id, f"{occasion}:{contact_id}", now, by)
    which = {"b_account": account_id, "b_cause": made.cause}
    for _ in range(_DRAWS):
        await tx.run(store.GIVE, coupons.as_row(made))
        row = await tx.first(store.BY_CAUSE, which)
        if row is not None:
            return coupons.read(row)
        made = _made(offer, account_id, contact_id, made.cause or "", now, by)
    raise Conflict("No free code was found. Try again.", code="coupon_code_taken")


def _made(offer: Offer, account_id: int, contact_id: str, cause: str, now: int, by: str) -> Coupon:
    code = coupons.new_code()
    given = {name: getattr(offer, name) for name in Offer.__struct_fields__ if name != "days"}
    return Coupon(
        account_id=account_id, id=new_id(now), code=coupons.fold_code(code), shown_code=code, per_person=1, in_all=1,
        contact_id=contact_id, cause=cause, ends_at=now + offer.days * DAY_MS, by=by, created_at=now, updated_at=now,
        **given,
    )  # fmt: skip
