"""Coupons: what they give, to whom, on which orders, and how often."""

from __future__ import annotations

import secrets
from typing import Literal

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.loyalty.listing import read_place
from tablegram.loyalty.rows import CouponGives, CouponKind, CouponRow
from tablegram.loyalty.store import coupons as store
from tablegram.storage.database import Params, Tx
from tablegram.values.cursor import encode_cursor
from tablegram.values.folding import words
from tablegram.values.money import AMOUNT_WANTED, MAX_AMOUNT, share

Kind = CouponKind
Gives = CouponGives
OrderType = Literal["dine_in", "takeaway", "delivery"]
MAX_CODE, MAX_NAME, MAX_USES = 32, 80, 1_000_000
FULL = 10_000
# Without what is easily mistaken when it is read aloud.
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


class Coupon(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    code: str
    shown_code: str
    name: str
    kind: Kind = "code"
    gives: Gives
    percent: int = 0
    amount: int = 0
    currency: str = ""
    item_id: str | None = None
    category_id: str | None = None
    minimum: int = 0
    per_person: int | None = 1
    in_all: int | None = None
    venue_id: str | None = None
    order_types: tuple[OrderType, ...] = ()
    starts_at: int | None = None
    ends_at: int | None = None
    contact_id: str | None = None
    cause: str | None = None
    is_active: bool = True
    used: int = 0
    by: str = ""
    created_at: int
    updated_at: int


class Dish(msgspec.Struct, frozen=True):
    """So many of a dish, as an order has it."""

    item_id: str
    category_id: str
    unit_price: int
    quantity: int


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """The order that somebody wants to use something on."""

    venue_id: str
    order_type: str
    currency: str
    # What the dishes come to, and what there is left to pay.
    subtotal: int
    open: int
    dishes: tuple[Dish, ...]


def fold_code(text: str) -> str:
    """A code as it is looked for: however it was typed."""
    return "".join(words(text))[:MAX_CODE]


def new_code(length: int = 8) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


async def make(tx: Tx, coupon: Coupon) -> Coupon:
    check(coupon)
    if not await tx.run(store.INSERT, as_row(coupon)):
        raise Conflict("There is a coupon with this code already.", code="coupon_code_taken")
    return coupon


async def find(tx: Tx, account_id: int, coupon_id: str) -> Coupon:
    return _must(await tx.first(store.GET, {"b_account": account_id, "b_id": coupon_id}))


async def lock(tx: Tx, account_id: int, coupon_id: str) -> Coupon:
    """The coupon; nobody else uses it until this transaction ends."""
    return _must(await tx.first(store.LOCK, {"b_account": account_id, "b_id": coupon_id}))


async def by_code(tx: Tx, account_id: int, text: str) -> Coupon | None:
    code = fold_code(text)
    row = await tx.first(store.BY_CODE, {"b_account": account_id, "b_code": code}) if code else None
    return None if row is None else read(row)


async def of_contact(tx: Tx, account_id: int, contact_id: str) -> list[Coupon]:
    """Those that are one guest's alone, the oldest first."""
    rows = await tx.all(store.OF_CONTACT, {"b_account": account_id, "b_contact": contact_id})
    return [read(row) for row in rows]


async def has_any(tx: Tx, account_id: int) -> bool:
    """Whether there is a coupon that somebody could use."""
    return await tx.first(store.ANY, {"b_account": account_id}) is not None


async def change(tx: Tx, coupon: Coupon) -> None:
    check(coupon)
    row = as_row(coupon)
    which = {"b_account": coupon.account_id, "b_id": coupon.id}
    await tx.run(store.UPDATE, {**which, **{f"new_{name}": row[name] for name in store.CHANGES}})


async def page(
    tx: Tx, account_id: int, kind: str | None, cursor: str | None, limit: int
) -> tuple[list[Coupon], str | None]:
    """The newest first."""
    rows = await tx.all(store.page(account_id, kind, read_place(cursor), limit + 1), {})
    found = [read(row) for row in rows]
    last = found[limit - 1] if len(found) > limit else None
    return found[:limit], None if last is None else encode_cursor(f"{last.created_at}:{last.id}")


async def uses(tx: Tx, coupon: Coupon, contact_id: str) -> set[int | None]:
    which = {"b_account": coupon.account_id, "b_coupon": coupon.id, "b_contact": contact_id}
    return {row["turn"] for row in await tx.all(store.USES, which)}


async def refuse(tx: Tx, coupon: Coupon, contact_id: str, now: int) -> None:
    """Raises `Conflict` where the coupon is not for this guest at this moment."""
    if not coupon.is_active or (coupon.contact_id is not None and coupon.contact_id != contact_id):
        raise Conflict("This coupon is not valid.", code="coupon_invalid")
    if coupon.starts_at is not None and now < coupon.starts_at:
        raise Conflict("This coupon is not valid yet.", code="coupon_early")
    if coupon.ends_at is not None and now >= coupon.ends_at:
        raise Conflict("This coupon is over.", code="coupon_over")
    if coupon.in_all is not None and coupon.used >= coupon.in_all:
        raise Conflict("This coupon was used as often as it can be.", code="coupon_used_up")
    which = {"b_account": coupon.account_id, "b_coupon": coupon.id, "b_contact": contact_id}
    if coupon.per_person is not None and len(await tx.all(store.USES, which)) >= coupon.per_person:
        raise Conflict("This guest has used the coupon already.", code="coupon_used")


def worth(coupon: Coupon, occasion: Occasion) -> int:
    """What it takes off an order, never more than is to be paid. Raises `Conflict` where it is not for this one."""
    if coupon.venue_id is not None and coupon.venue_id != occasion.venue_id:
        raise Conflict("This coupon is for another venue.", code="coupon_venue")
    if coupon.order_types and occasion.order_type not in coupon.order_types:
        raise Conflict("This coupon is not for this type of order.", code="coupon_order_type")
    if coupon.currency and coupon.currency != occasion.currency:
        raise Conflict("This coupon is for another currency.", code="coupon_currency")
    if occasion.subtotal < coupon.minimum:
        raise Conflict("The order is too small for this coupon.", code="coupon_minimum")
    if coupon.gives == "percent":
        value = share(occasion.subtotal, coupon.percent)
    elif coupon.gives == "amount":
        value = coupon.amount
    else:
        fitting = [
            one.unit_price
            for one in occasion.dishes
            if one.item_id == coupon.item_id
            or (coupon.category_id is not None and one.category_id == coupon.category_id)
        ]
        if not fitting:
            raise Conflict("The dish that this coupon gives is not in the order.", code="coupon_item")
        # Of several, the one that costs least.
        value = min(fitting)
    value = min(value, occasion.open)
    if value <= 0:
        raise Conflict("Nothing is left to pay on this order.", code="nothing_open")
    return value


def read(row: CouponRow) -> Coupon:
    return Coupon(
        account_id=row["account_id"],
        id=row["id"],
        code=row["code"],
        shown_code=row["shown_code"],
        name=row["name"],
        kind=row["kind"],
        gives=row["gives"],
        percent=row["percent"],
        amount=row["amount"],
        currency=row["currency"],
        item_id=row["item_id"],
        category_id=row["category_id"],
        minimum=row["minimum"],
        per_person=row["per_person"],
        in_all=row["in_all"],
        venue_id=row["venue_id"],
        order_types=tuple(msgspec.json.decode(row["order_types"])),
        starts_at=row["starts_at"],
        ends_at=row["ends_at"],
        contact_id=row["contact_id"],
        cause=row["cause"],
        is_active=bool(row["is_active"]),
        used=row["used"],
        by=row["by"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def as_row(coupon: Coupon) -> Params:
    types = msgspec.json.encode(coupon.order_types).decode()
    return {**msgspec.structs.asdict(coupon), "order_types": types, "is_active": int(coupon.is_active)}


def _must(row: CouponRow | None) -> Coupon:
    if row is None:
        raise NotFound(no_such("coupon"), code="coupon_unknown")
    return read(row)


def check(coupon: Coupon) -> None:
    """Raises `Invalid` with every field that is wrong."""
    errors: list[FieldError] = []
    if not len(coupon.code) >= 3:
        errors.append(FieldError("code", "code_invalid", f"A code has 3 to {MAX_CODE} letters and digits."))
    if not 1 <= len(coupon.name) <= MAX_NAME:
        errors.append(FieldError("name", "name_invalid", f"Say in 1 to {MAX_NAME} characters what the guest gets."))
    if coupon.gives == "percent" and not 0 < coupon.percent <= FULL:
        errors.append(FieldError("percent", "out_of_range", "A percentage is more than 0 and at most 100."))
    if coupon.gives == "amount" and not 0 < coupon.amount <= MAX_AMOUNT:
        errors.append(FieldError("amount", "out_of_range", AMOUNT_WANTED))
    if coupon.gives == "item" and (coupon.item_id is None) == (coupon.category_id is None):
        errors.append(FieldError("item_id", "item_missing", "Name the dish that is free, or the category."))
    if not 0 <= coupon.minimum <= MAX_AMOUNT:
        errors.append(FieldError("minimum", "out_of_range", "A minimum is nothing or more."))
    for name in ("per_person", "in_all"):
        limit = getattr(coupon, name)
        if limit is not None and not 1 <= limit <= MAX_USES:
            errors.append(FieldError(name, "out_of_range", f"Use it 1 to {MAX_USES} times, or without a limit."))
    if coupon.in_all is not None and coupon.in_all < coupon.used:
        errors.append(FieldError("in_all", "out_of_range", f"It was used {coupon.used} times already."))
    if coupon.starts_at is not None and coupon.ends_at is not None and coupon.ends_at <= coupon.starts_at:
        errors.append(FieldError("ends_at", "out_of_range", "It ends after it begins."))
    if errors:
        raise Invalid.fields(errors)
