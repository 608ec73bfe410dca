"""Coupons as people and programs manage them."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from tablegram.accounts.keys.keys import Caller
from tablegram.crm.merging import find_living
from tablegram.engine.idempotency import Call, Result
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.flows.loyalty.answers.rewards import CheckedCoupon, CouponPage, CouponView
from tablegram.flows.loyalty.desks.desk import LoyaltyDesk
from tablegram.flows.loyalty.fields import CouponFields, KeptCoupon, OfferFields
from tablegram.flows.loyalty.views import coupon_view
from tablegram.flows.wire import picked
from tablegram.loyalty import coupons
from tablegram.loyalty.coupons import Coupon, fold_code, new_code
from tablegram.restaurant import venues
from tablegram.restaurant.menu import keeping as menus
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tablegram.values.money import CURRENCY_WANTED, from_wire, is_currency

READ, MANAGE = "loyalty:read", "loyalty:manage"
_PLAIN = (
    "name",
    "kind",
    "gives",
    "item_id",
    "category_id",
    "per_person",
    "in_all",
    "venue_id",
    "contact_id",
    "is_active",
    "order_types",
    "starts_at",
    "ends_at",
)


class CouponDesk(LoyaltyDesk):
    async def page(
        self, caller: Caller, *, kind: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> CouponPage:
        """The newest first."""
        caller.require(READ)
        found, following = await self._db.snapshot(lambda tx: coupons.page(tx, caller.account_id, kind, cursor, limit))
        return CouponPage(data=[coupon_view(one) for one in found], next_cursor=following)

    async def get(self, caller: Caller, coupon_id: str) -> CouponView:
        caller.require(READ)
        return coupon_view(await self._db.snapshot(lambda tx: coupons.find(tx, caller.account_id, coupon_id)))

    async def make(self, caller: Caller, fields: CouponFields, call: Call) -> Result[CouponView]:
        """Without a `code` it gets one of its own. Times are milliseconds, amounts decimal numbers of `currency`."""
        caller.require(MANAGE)
        acting, by = self._audit.acting(caller), caller.key_name or caller.key_id

        async def work(tx: Tx) -> Result[CouponView]:
            now = self._clock.now_ms()
            shown = " ".join(str(fields.get("code") or "").split()).upper() or new_code()
            values: dict[str, Any] = {"per_person": 1, **await read_coupon(tx, caller, fields)}
            made = Coupon(
                account_id=caller.account_id, id=new_id(now), code=fold_code(shown), shown_code=shown, by=by,
                created_at=now, updated_at=now, **values,
            )  # fmt: skip
            await coupons.make(tx, made)
            await acting.note(tx, "loyalty.coupon_made", "coupon", made.id, {"name": made.name})
            return Result(coupon_view(made), 201)

        return await self._idempotency.once_for(CouponView, caller.account_id, call, work)

    async def change(self, caller: Caller, coupon_id: str, fields: CouponFields) -> CouponView:
        """What it is called, how long and how often it holds; what it gives stays."""
        caller.require(MANAGE)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Coupon:
            old = await coupons.lock(tx, caller.account_id, coupon_id)
            known: CouponFields = {**fields, "currency": old.currency}
            changes = await read_coupon(tx, caller, known)
            kept = msgspec.structs.replace(old, **changes, updated_at=self._clock.now_ms())
            await coupons.change(tx, kept)
            await acting.note(tx, "loyalty.coupon_changed", "coupon", kept.id, {"name": kept.name})
            return kept

        return coupon_view(await self._db.write(work))

    async def check(self, caller: Caller, code: str, contact_id: str | None, call: Call) -> Result[CheckedCoupon]:
        """Whether a code is valid, for anybody or for one guest, before an order is known."""
        caller.require(READ)

        async def look(tx: Tx) -> CheckedCoupon:
            coupon = await coupons.by_code(tx, caller.account_id, code)
            if coupon is None:
                return CheckedCoupon(holds=False, reason="coupon_unknown", detail="There is no such code.", coupon=None)
            try:
                await coupons.refuse(tx, coupon, contact_id or coupon.contact_id or "", self._clock.now_ms())
            except Conflict as refused:
                return CheckedCoupon(
                    holds=False, reason=refused.code, detail=refused.detail, coupon=coupon_view(coupon)
                )
            return CheckedCoupon(holds=True, reason="", detail="", coupon=coupon_view(coupon))

        async def work(tx: Tx) -> Result[CheckedCoupon]:
            return Result(await look(tx))

        return await self._idempotency.once_for(CheckedCoupon, caller.account_id, call, work)


async def read_coupon(tx: Tx, caller: Caller, fields: OfferFields) -> KeptCoupon:
    """The fields of a coupon as they are kept. Raises `Invalid`."""
    found: dict[str, Any] = picked(fields, *_PLAIN)
    if "name" in found:
        found["name"] = " ".join(str(found["name"]).split())
    if "order_types" in found:
        found["order_types"] = tuple(dict.fromkeys(found["order_types"] or ()))
    if "percent" in fields:
        found["percent"] = round(float(fields["percent"]) * 100)
    currency = str(fields.get("currency") or "")
    if currency and not is_currency(currency):
        raise Invalid.field("currency", "currency_invalid", CURRENCY_WANTED)
    for name, figure in (("amount", fields.get("amount")), ("minimum", fields.get("minimum"))):
        if figure:
            if not currency:
                raise Invalid.field("currency", "currency_missing", f"Say in which currency the {name} is.")
            try:
                found[name] = from_wire(figure, currency)
            except ValueError:
                raise Invalid.field(
                    name, "amount_invalid", "An amount has at most as many decimals as its currency."
                ) from None
    found["currency"] = currency
    kept = cast(KeptCoupon, found)
    await check_names(tx, caller, kept)
    return kept


async def check_names(tx: Tx, caller: Caller, found: KeptCoupon) -> None:
    """What a coupon speaks of is there."""
    if (venue_id := found.get("venue_id")) is not None:
        try:
            await venues.find(tx, caller.account_id, venue_id)
        except NotFound:
            raise Invalid.field("venue_id", "venue_unknown", no_such("venue")) from None
    if (contact_id := found.get("contact_id")) is not None:
        row = await find_living(tx, caller.account_id, contact_id)
        if row is None:
            raise Invalid.field("contact_id", "contact_unknown", no_such("contact"))
        found["contact_id"] = row["id"]
    if found.get("item_id") is None and found.get("category_id") is None:
        return
    known: set[str] = set()
    for venue in await venues.every(tx, caller.account_id):
        menu = await menus.load(tx, venue)
        known |= {one.id for one in menu.items} | {one.id for one in menu.categories}
    for name, wanted in (("item_id", found.get("item_id")), ("category_id", found.get("category_id"))):
        if wanted is not None and wanted not in known:
            raise Invalid.field(name, name.replace("_id", "_unknown"), "No menu of the account has it.")
