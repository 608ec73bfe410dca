"""Carts: begun or changed by a checkout, ended by a purchase, reminded of in between.

A cart is one row, and every step locks it: what a checkout, a purchase and the clock do to it come one after the other,
in whatever order they are told. Ended is ended: no later word of the shop opens a cart again. A purchase is kept too, so
that a cart that is told of after it, or in the same moment in another process, finds it before a reminder goes.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.engine.crash_points import reach as pass_point
from tablegram.storage.database import Tx
from tablegram.stores.carts import store
from tablegram.stores.carts.model import Cart, Purchase, State, cart_row, read_cart
from tablegram.stores.notifications import wordings
from tablegram.stores.notifications.addressee import Reached, Shop, same_email
from tablegram.stores.notifications.keeping import facts_of
from tablegram.stores.ports import StoreEvent
from tablegram.values.clock import DAY_MS, MINUTE_MS
from tablegram.values.ids import new_id

# Shops' clocks differ: who bought so shortly before a cart was begun has bought.
SKEW_MS = 10 * MINUTE_MS
# A purchase so long after the last reminder was not its doing.
RECOVERED_WITHIN_MS = 7 * DAY_MS
# A cart that nobody has touched for so long is history that a shop tells again.
MAX_AGE_MS = 7 * DAY_MS


async def changed(tx: Tx, shop: Shop, event: StoreEvent, reached: Reached, now: int) -> Cart | None:
    """A checkout was begun or changed: its timer starts again, unless it was bought.

    Nothing where the cart had ended before.
    """
    at = min(event.at or now, now)
    known = await wordings.of_kind(tx, shop.account_id, "abandoned_cart", shop.source_id)
    first = wordings.next_step(known, 0, reached.language)
    due_at = None
    if first is not None and at >= now - MAX_AGE_MS:
        due_at = max(now, at + first.wording.delay_min * MINUTE_MS)
    fresh = Cart(
        account_id=shop.account_id, id=new_id(now), source_id=shop.source_id, reference=event.reference,
        checkout=event.checkout or event.reference, name=event.person.name[:200], phone=reached.phone,
        email=same_email(event.person.email), language=reached.language, consents=event.person.consents,
        facts=facts_of(event, shop, reached), amount=event.amount, currency=event.currency,
        instance_id=shop.instance_id, step=1 if first is None else first.step, due_at=due_at, began_at=at,
        changed_at=at, created_at=now, updated_at=now,
    )  # fmt: skip
    if await tx.run(store.ADD, cart_row(fresh)):
        pass_point("stores.cart_kept")
        return await _unless_bought(tx, fresh, now)
    old = await _lock_checkout(tx, shop, event.reference)
    if old is None or old.state != "open":
        return None
    if at < old.changed_at:
        # Told late: what is known is newer. It may have been begun earlier than we thought.
        return await _change(tx, old, now, began_at=min(old.began_at, at))
    known_before = {
        name: getattr(fresh, name) or getattr(old, name)
        for name in ("name", "phone", "email", "facts", "currency", "checkout")
    }
    consents = old.consents if fresh.consents is None else fresh.consents
    amount = old.amount if fresh.amount is None else fresh.amount
    # Who touches the cart is not reminded before the delay has passed again; what was said is not said again.
    next_one = wordings.next_step(known, old.step - 1, reached.language)
    timer: dict[str, Any] = {"due_at": None}
    if next_one is not None and at >= now - MAX_AGE_MS:
        timer = {"step": next_one.step, "due_at": max(now, at + next_one.wording.delay_min * MINUTE_MS)}
    kept = await _change(
        tx, old, now, **known_before, consents=consents, amount=amount, language=reached.language, changed_at=at,
        began_at=min(old.began_at, at), instance_id=shop.instance_id, **timer,
    )  # fmt: skip
    return None if kept is None else await _unless_bought(tx, kept, now)


async def completed(tx: Tx, shop: Shop, event: StoreEvent, now: int) -> Cart | None:
    """The checkout itself was completed; the order may be told of later."""
    return await _end(tx, shop, event, "bought", now)


async def deleted(tx: Tx, shop: Shop, event: StoreEvent, now: int) -> Cart | None:
    return await _end(tx, shop, event, "deleted", now)


async def bought(tx: Tx, shop: Shop, event: StoreEvent, reached: Reached, now: int) -> list[Cart]:
    """Somebody bought: every cart of theirs ends, wherever it was begun. Returns those that did."""
    purchase = Purchase(
        account_id=shop.account_id, source_id=shop.source_id, reference=event.reference, checkout=event.checkout,
        phone=reached.phone, email=same_email(event.person.email), amount=event.amount, currency=event.currency,
        at=min(event.at or now, now),
    )  # fmt: skip
    await tx.run(store.NOTE_PURCHASE, {**msgspec.structs.asdict(purchase), "created_at": now})
    pass_point("stores.bought")
    rows = await tx.all(
        store.BOUGHT_BY,
        {
            "b_account": shop.account_id, "b_source": shop.source_id, "b_checkout": purchase.checkout,
            "b_phone": purchase.phone, "b_email": purchase.email, "until": purchase.at + SKEW_MS,
        },
    )  # fmt: skip
    carts = [read_cart(row) for row in rows]
    open_ones = [cart for cart in carts if _may_end(cart, now)]
    # One of them became the order: the one that it names, else the last that was reminded of, else the newest.
    unnamed = [one for one in carts if one.state in ("bought", "recovered") and not one.order_reference]
    own = [one for one in (*open_ones, *unnamed) if purchase.checkout and one.checkout == purchase.checkout]
    is_counted = any(one.order_reference == purchase.reference and one.source_id == shop.source_id for one in carts)
    meant = None if is_counted else next(iter(own or sorted(open_ones, key=_likely)), None)
    ended = []
    for cart in open_ones:
        kept = await _buy(tx, cart, now, purchase if cart is meant else None)
        if kept is not None:
            ended.append(kept)
    if meant is not None and meant not in open_ones:
        await _change(tx, meant, now, **_sale(purchase))
    return ended


def _may_end(cart: Cart, now: int) -> bool:
    """A cart of which all was said is bought late, but not for ever."""
    return cart.state == "open" or (cart.state == "left" and cart.updated_at >= now - RECOVERED_WITHIN_MS)


def _likely(cart: Cart) -> tuple[bool, int]:
    return (cart.reminders == 0, -cart.changed_at)


async def lock(tx: Tx, account_id: int, cart_id: str) -> Cart | None:
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_id": cart_id})
    return None if row is None else read_cart(row)


async def has_bought(tx: Tx, cart: Cart) -> bool:
    """Whether a purchase of the same checkout, number or address is known. Asked in the transaction that reminds."""
    return await _purchase_of(tx, cart) is not None


async def _purchase_of(tx: Tx, cart: Cart) -> Purchase | None:
    row = await tx.first(
        store.PURCHASED,
        {
            "b_account": cart.account_id, "b_source": cart.source_id, "b_checkout": cart.checkout,
            "b_phone": cart.phone, "b_email": cart.email, "since": cart.began_at - SKEW_MS,
        },
    )  # fmt: skip
    if row is None:
        return None
    return Purchase(
        account_id=row["account_id"],
        source_id=row["source_id"],
        reference=row["reference"],
        checkout=row["checkout"],
        phone=row["phone"],
        email=row["email"],
        amount=row["amount"],
        currency=row["currency"],
        at=row["at"],
    )


async def _unless_bought(tx: Tx, cart: Cart, now: int) -> Cart | None:
    """A cart that is told of after its purchase ends at once."""
    purchase = await _purchase_of(tx, cart)
    if purchase is None:
        return cart
    return await _buy(tx, cart, now, purchase if purchase.checkout == cart.checkout else None)


async def end_bought(tx: Tx, cart: Cart, now: int) -> Cart | None:
    """The clock found a purchase that nobody told the cart of: both were kept in the same moment."""
    return await _unless_bought(tx, cart, now)


async def remind(tx: Tx, cart: Cart, now: int, *, was_sent: bool) -> Cart | None:
    """This reminder is dealt with: the next one is due after its delay, or all is said."""
    known = await wordings.of_kind(tx, cart.account_id, "abandoned_cart", cart.source_id)
    following = wordings.next_step(known, cart.step, cart.language)
    changes: dict[str, Any] = {"reminders": cart.reminders + was_sent}
    if following is None:
        changes |= {"state": "left", "due_at": None, "ended_at": now}
    else:
        changes |= {"step": following.step, "due_at": now + following.wording.delay_min * MINUTE_MS}
    return await _change(tx, cart, now, **changes)


async def move(tx: Tx, cart: Cart, at: int, now: int) -> None:
    await _change(tx, cart, now, due_at=at)


async def _lock_checkout(tx: Tx, shop: Shop, reference: str) -> Cart | None:
    which = {"b_account": shop.account_id, "b_source": shop.source_id, "b_reference": reference}
    row = await tx.first(store.LOCK_CHECKOUT, which)
    return None if row is None else read_cart(row)


async def _end(tx: Tx, shop: Shop, event: StoreEvent, state: State, now: int) -> Cart | None:
    """Told before its checkout was: then it is kept as ended, so that what comes late starts no timer."""
    at = min(event.at or now, now)
    grave = Cart(
        account_id=shop.account_id, id=new_id(now), source_id=shop.source_id, reference=event.reference,
        checkout=event.checkout or event.reference, state=state, began_at=at, changed_at=at, created_at=now,
        updated_at=now, ended_at=now,
    )  # fmt: skip
    if await tx.run(store.ADD, cart_row(grave)):
        return None
    cart = await _lock_checkout(tx, shop, event.reference)
    if cart is None or not _may_end(cart, now):
        return None
    if state == "bought":
        return await _buy(tx, cart, now, None)
    return None if cart.state == "left" else await _change(tx, cart, now, state=state, due_at=None, ended_at=now)


async def _buy(tx: Tx, cart: Cart, now: int, purchase: Purchase | None) -> Cart | None:
    state: State = "recovered" if cart.reminders else "bought"
    sale = {} if purchase is None else _sale(purchase)
    return await _change(tx, cart, now, state=state, due_at=None, ended_at=now, **sale)


def _sale(purchase: Purchase) -> dict[str, Any]:
    return {
        "order_reference": purchase.reference,
        "bought_amount": purchase.amount,
        "bought_currency": purchase.currency,
    }


async def _change(tx: Tx, cart: Cart, now: int, **changes: Any) -> Cart | None:
    kept = msgspec.structs.replace(cart, **changes, updated_at=now)
    row = {f"new_{name}": value for name, value in cart_row(kept).items()}
    which = {"b_account": cart.account_id, "b_id": cart.id, "b_state": cart.state}
    return kept if await tx.run(store.UPDATE, {**row, **which}) else None
