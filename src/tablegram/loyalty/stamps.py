"""Stamp cards: so many of a dish or so many visits, and the card becomes a coupon.

Every movement is a row, once for its cause; what they come to is kept beside it in the same transaction, and is never negative.
What is to be taken back and has become a coupon that nobody used takes the coupon along; what was used is written down as `short`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid, NotFound, no_such
from tablegram.loyalty import coupons, giving
from tablegram.loyalty.giving import Offer
from tablegram.loyalty.ledger import months_after
from tablegram.loyalty.oldest import oldest_first
from tablegram.loyalty.programme import MAX_MONTHS
from tablegram.loyalty.rows import CardRow, CollectedRow, StampKind, StampRow
from tablegram.loyalty.store import coupons as coupon_store
from tablegram.loyalty.store import stamps as store
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id

Kind = StampKind
MAX_NEEDED, MAX_CARDS = 100, 50
BY = "stamps"
_encode = msgspec.json.Encoder().encode
_offer = msgspec.json.Decoder(Offer).decode


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A stamp for each of a dish or of a category, or for a visit where neither is named."""

    account_id: int
    id: str
    name: str
    item_id: str | None = None
    category_id: str | None = None
    needed: int
    offer: Offer
    expires_months: int = 0
    is_active: bool = True
    created_at: int
    updated_at: int


class Collected(msgspec.Struct, frozen=True, kw_only=True):
    """A guest's stamps on a card: `given - rewarded - expired - taken` is `balance`."""

    account_id: int
    card_id: str
    contact_id: str
    balance: int = 0
    given: int = 0
    rewarded: int = 0
    expired: int = 0
    taken: int = 0
    updated_at: int = 0


class Stamp(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    id: str
    card_id: str
    contact_id: str
    kind: Kind
    cause: str
    stamps: int
    short: int = 0
    unused: int = 0
    expires_at: int | None = None
    order_key: str | None = None
    order_id: str = ""
    coupon_id: str | None = None
    created_at: int


class Earned(msgspec.Struct, frozen=True):
    """What an order brought on a card: stamps, what is on it after that, and a coupon for each time that it was full."""

    stamps: int
    balance: int
    coupons: tuple[coupons.Coupon, ...] = ()


class Source(msgspec.Struct, frozen=True):
    """The order that stamps come from."""

    key: str
    shown: str


async def add_card(tx: Tx, card: Card) -> Card:
    check(card)
    if len(await cards(tx, card.account_id)) >= MAX_CARDS:
        raise Conflict(f"An account has at most {MAX_CARDS} stamp cards.", code="too_many_cards")
    row = {**msgspec.structs.asdict(card), "offer": _encode(card.offer).decode(), "is_active": int(card.is_active)}
    await tx.run(store.ADD_CARD, row)
    return card


async def change_card(tx: Tx, card: Card) -> None:
    check(card)
    row = {**msgspec.structs.asdict(card), "is_active": int(card.is_active)}
    which = {"b_account": card.account_id, "b_id": card.id}
    await tx.run(store.SET_CARD, {**which, **{f"new_{name}": row[name] for name in store.CHANGES}})


async def find_card(tx: Tx, account_id: int, card_id: str, *, lock: bool = False) -> Card:
    row = await tx.first(store.LOCK_CARD if lock else store.CARD, {"b_account": account_id, "b_id": card_id})
    if row is None:
        raise NotFound(no_such("stamp card"), code="card_unknown")
    return _card(row)


async def cards(tx: Tx, account_id: int) -> list[Card]:
    """The newest first."""
    return [_card(row) for row in await tx.all(store.CARDS, {"b_account": account_id})]


async def collected(tx: Tx, account_id: int, contact_id: str) -> list[tuple[Card, Collected]]:
    """What a guest has on each card that is in use, the newest card first."""
    rows = await tx.all(store.OF_CONTACT, {"b_account": account_id, "b_contact": contact_id})
    mine = {row["card_id"]: _collected(row) for row in rows}
    nothing = Collected(account_id=account_id, card_id="", contact_id=contact_id)
    return [(one, mine.get(one.id, nothing)) for one in await cards(tx, account_id) if one.is_active]


async def of_contacts(tx: Tx, account_id: int, contact_ids: Iterable[str]) -> list[Stamp]:
    """Of each of them the oldest first."""
    rows = await tx.gather(store.MOVEMENTS, [{"b_account": account_id, "b_contact": one} for one in contact_ids])
    return [_stamp(row) for row in rows]


async def earn(
    tx: Tx, card: Card, contact_id: str, stamps: int, order: Source, now: int, *, day: tuple[int, int] | None = None
) -> Earned | None:
    """An order brings stamps, once; within a `day`, where one is given, only the first order does. A full card becomes a coupon.

    Nothing is answered where nothing is given.
    """
    who = await _lock(tx, card.account_id, card.id, contact_id, now)
    cause = f"{card.id}:earn:{order.key}"
    if await _known(tx, card.account_id, cause) or (day is not None and await _came(tx, who, day)):
        return None
    expires_at = months_after(now, card.expires_months) if card.expires_months else None
    who = await _keep(tx, who, "earn", stamps, cause, order, now, unused=stamps, expires_at=expires_at)
    full: list[coupons.Coupon] = []
    while who.balance >= card.needed:
        name = f"{card.id}:reward:{order.key}:{who.rewarded}"
        coupon = await giving.give(tx, card.account_id, contact_id, card.offer, name, now, by=BY)
        await _use(tx, who, card.needed)
        who = await _keep(tx, who, "reward", -card.needed, name, order, now, coupon_id=coupon.id)
        full.append(coupon)
    return Earned(stamps, who.balance, tuple(full))


async def take_back(tx: Tx, account_id: int, order: Source, now: int) -> None:
    """The order was called off, or all of its money went back."""
    rows = await tx.all(store.OF_ORDER, {"b_account": account_id, "b_order": order.key})
    for one in [_stamp(row) for row in rows if row["kind"] == "earn"]:
        who = await _lock(tx, account_id, one.card_id, one.contact_id, now)
        cause = f"{one.card_id}:reverse:{order.key}"
        if await _known(tx, account_id, cause):
            continue
        if who.balance < one.stamps:
            who = await _give_up_coupons(tx, who, one.stamps, order, now)
        taken = min(one.stamps, who.balance)
        await _use(tx, who, taken)
        await _keep(tx, who, "reverse", -taken, cause, order, now, short=one.stamps - taken)


async def expired(tx: Tx, now: int) -> list[tuple[int, str, str]]:
    """Of any account: on which card whose stamps have gone by."""
    rows = await tx.all(store.EXPIRED, {"now": now})
    return [(row["account_id"], row["card_id"], row["contact_id"]) for row in rows]


async def let_go_by(tx: Tx, account_id: int, card_id: str, contact_id: str, now: int) -> None:
    """What nobody used in its time goes."""
    who = await _lock(tx, account_id, card_id, contact_id, now)
    for one in await _unused(tx, who):
        if one.expires_at is not None and one.expires_at <= now:
            await _set_unused(tx, one, 0)
            order = Source(one.order_key or "", one.order_id)
            who = await _keep(tx, who, "expire", -one.unused, f"{card_id}:expire:{one.id}", order, now)


async def move(tx: Tx, account_id: int, gone: str, kept: str) -> None:
    """Two contacts turned out to be one person: one has the stamps of both. A card that is full by it is so with the next stamp."""
    for row in await tx.all(store.OF_CONTACT, {"b_account": account_id, "b_contact": gone}):
        now = row["updated_at"]
        first, second = sorted((gone, kept))
        locked = {one: await _lock(tx, account_id, row["card_id"], one, now) for one in (first, second)}
        old, new = locked[gone], locked[kept]
        await _sum(tx, new, {name: getattr(old, name) + getattr(new, name) for name in store.SUMS}, now)
        await _sum(tx, old, dict.fromkeys(store.SUMS, 0), now)
    await tx.run(store.RENAME, {"b_account": account_id, "b_contact": gone, "target": kept})


async def forget(tx: Tx, account_id: int, contact_id: str, nobody: str) -> None:
    """Figures stay, and lead to nobody."""
    which = {"b_account": account_id, "b_contact": contact_id, "target": nobody}
    await tx.run(store.RENAME_SUMS, which)
    await tx.run(store.RENAME, which)


def check(card: Card) -> None:
    """Raises `Invalid` with what is wrong."""
    errors: list[FieldError] = []
    if not 1 <= len(card.name) <= coupons.MAX_NAME:
        errors.append(
            FieldError("name", "name_invalid", f"Give the card a name of 1 to {coupons.MAX_NAME} characters.")
        )
    if card.item_id is not None and card.category_id is not None:
        errors.append(
            FieldError("item_id", "item_unclear", "Name a dish or a category, not both; neither counts visits.")
        )
    if not 2 <= card.needed <= MAX_NEEDED:
        errors.append(FieldError("needed", "out_of_range", f"A card has 2 to {MAX_NEEDED} stamps."))
    if not 0 <= card.expires_months <= MAX_MONTHS:
        errors.append(
            FieldError("expires_months", "out_of_range", f"Stamps hold 0 to {MAX_MONTHS} months; 0 is for ever.")
        )
    if errors:
        raise Invalid.fields(errors)
    giving.check(card.offer)


async def _give_up_coupons(tx: Tx, who: Collected, needed: int, order: Source, now: int) -> Collected:
    """Coupons of this card that nobody used become stamps again, as many as it takes."""
    which = {"b_account": who.account_id, "b_contact": who.contact_id, "b_card": who.card_id}
    for row in await tx.all(store.REWARDS, which):
        reward = _stamp(row)
        if who.balance >= needed:
            break
        cause = f"{who.card_id}:give_back:{reward.id}"
        seen = await coupons.find(tx, who.account_id, reward.coupon_id or "")
        if not _is_unused(seen, now) or await _known(tx, who.account_id, cause):
            continue
        coupon = await coupons.lock(tx, who.account_id, seen.id)
        if not _is_unused(coupon, now):
            continue
        ended = {"b_account": who.account_id, "b_id": coupon.id, "now": now}
        await tx.run(coupon_store.SWITCH_OFF, ended)
        who = await _keep(tx, who, "give_back", -reward.stamps, cause, order, now, unused=-reward.stamps)
    return who


def _is_unused(coupon: coupons.Coupon, now: int) -> bool:
    return coupon.is_active and not coupon.used and (coupon.ends_at is None or coupon.ends_at > now)


async def _lock(tx: Tx, account_id: int, card_id: str, contact_id: str, now: int) -> Collected:
    which = {"b_account": account_id, "b_card": card_id, "b_contact": contact_id}
    row = await tx.first(store.LOCK, which)
    if row is None:
        made = Collected(account_id=account_id, card_id=card_id, contact_id=contact_id, updated_at=now)
        await tx.run(store.ADD, msgspec.structs.asdict(made))
        row = await tx.first(store.LOCK, which)
    if row is None:
        raise ValueError("a card that was just begun is not there")
    return _collected(row)


async def _known(tx: Tx, account_id: int, cause: str) -> bool:
    return await tx.first(store.BY_CAUSE, {"b_account": account_id, "b_cause": cause}) is not None


async def _came(tx: Tx, who: Collected, day: tuple[int, int]) -> bool:
    """Whether an order of this day brought a stamp that stayed."""
    which = {"b_account": who.account_id, "b_contact": who.contact_id, "b_card": who.card_id}
    for row in await tx.all(store.SINCE, {**which, "since": day[0], "until": day[1]}):
        if not await _known(tx, who.account_id, f"{who.card_id}:reverse:{row['order_key']}"):
            return True
    return False


async def _unused(tx: Tx, who: Collected) -> list[Stamp]:
    which = {"b_account": who.account_id, "b_contact": who.contact_id, "b_card": who.card_id}
    return [_stamp(row) for row in await tx.all(store.UNUSED, which)]


async def _use(tx: Tx, who: Collected, stamps: int) -> None:
    for one, stays in oldest_first(await _unused(tx, who), stamps):
        await _set_unused(tx, one, stays)


async def _set_unused(tx: Tx, one: Stamp, unused: int) -> None:
    await tx.run(store.SET_UNUSED, {"b_account": one.account_id, "b_id": one.id, "new_unused": unused})


async def _keep(
    tx: Tx, who: Collected, kind: Kind, stamps: int, cause: str, order: Source, now: int, **more: Any
) -> Collected:
    made = Stamp(
        account_id=who.account_id, id=new_id(now), card_id=who.card_id, contact_id=who.contact_id, kind=kind, cause=cause,
        stamps=stamps, order_key=order.key or None, order_id=order.shown, created_at=now, **more,
    )  # fmt: skip
    await tx.run(store.INSERT, msgspec.structs.asdict(made))
    sums = {name: getattr(who, name) for name in store.SUMS}
    column = {"earn": "given", "reverse": "taken", "expire": "expired"}.get(kind, "rewarded")
    sums["balance"] += stamps
    sums[column] += stamps if kind == "earn" else -stamps
    await _sum(tx, who, sums, now)
    return msgspec.structs.replace(who, **sums)


async def _sum(tx: Tx, who: Collected, sums: dict[str, int], now: int) -> None:
    which = {"b_account": who.account_id, "b_card": who.card_id, "b_contact": who.contact_id, "new_updated_at": now}
    await tx.run(store.SET_SUMS, {**which, **{f"new_{name}": sums[name] for name in store.SUMS}})


def _card(row: CardRow) -> Card:
    return Card(
        account_id=row["account_id"],
        id=row["id"],
        name=row["name"],
        item_id=row["item_id"],
        category_id=row["category_id"],
        needed=row["needed"],
        offer=_offer(row["offer"]),
        expires_months=row["expires_months"],
        is_active=bool(row["is_active"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


def _collected(row: CollectedRow) -> Collected:
    return Collected(**row)


def _stamp(row: StampRow) -> Stamp:
    return Stamp(**row)
