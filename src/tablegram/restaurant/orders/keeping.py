"""Orders: placed once, whatever arrives how often; then moved on by events, each of which is written down."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.restaurant.carts import contents
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.figures import keeping as figures
from tablegram.restaurant.kitchen import keeping as kitchen
from tablegram.restaurant.lines import PricedLine, tidy
from tablegram.restaurant.orders import history as history_of
from tablegram.restaurant.orders import payments, totals
from tablegram.restaurant.orders.event import CREATED, UPDATED
from tablegram.restaurant.orders.model import Order, OrderChanges, from_row, to_row
from tablegram.restaurant.orders.numbers import next_order_id
from tablegram.restaurant.orders.payments import LinkMoney
from tablegram.restaurant.orders.states import (
    CLOSED,
    DEAD,
    Actor,
    Event,
    Moved,
    OrderRefusal,
    OrderType,
    PaymentMethod,
    State,
    first_standing,
    move,
)  # fmt: skip
from tablegram.restaurant.orders.totals import Extra
from tablegram.restaurant.rows.orders import HistoryRow, OrderRow
from tablegram.restaurant.store import orders as store
from tablegram.storage.database import Tx
from tablegram.values.clock import MINUTE_MS
from tablegram.values.ids import new_id
from tablegram.values.texts.reasons import short_reason

MAX_DELAY_MIN = 240
# By which event an order in the kitchen becomes what its lines say.
TO_STATE: dict[tuple[State, State], Event] = {
    ("sent_to_kitchen", "preparing"): "start",
    ("sent_to_kitchen", "ready"): "finish",
    ("preparing", "ready"): "finish",
    ("preparing", "sent_to_kitchen"): "set_back",
    ("ready", "preparing"): "recall",
    ("ready", "sent_to_kitchen"): "set_back",
}


class Placing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a new order is made of. The lines are priced by the menu of this moment."""

    account_id: int
    venue_id: str
    # Of business at the venue: the order is numbered in it.
    day: date
    currency: str
    accepts_by_itself: bool
    order_type: OrderType
    payment_method: PaymentMethod
    lines: tuple[PricedLine, ...]
    charges: tuple[Extra, ...] = ()
    discounts: tuple[Extra, ...] = ()
    # The message that it was read from, where it came without a cart.
    message_key: str | None = None
    table_id: str | None = None
    table_label: str = ""
    tab_id: str | None = None
    waiter: str = ""
    contact_id: str | None = None
    customer_phone: str = ""
    customer_name: str = ""
    notes: str = ""
    address: str = ""
    route_url: str = ""
    destination: Destination | None = None
    language: str = "en"
    promised_at: int | None = None
    by: str = "guest"


class Placed(msgspec.Struct, frozen=True):
    """The order, and whether it is new: a text that arrives again leads to the same order and makes nothing."""

    order: Order
    is_new: bool
    # The event to tell of it, or nothing.
    announces: str = ""


class OrderChange(msgspec.Struct, frozen=True):
    """What an event did to an order, which stands here as it was before and as it is now."""

    before: Order
    order: Order
    changed: bool
    announces: str = ""
    needs_refund: bool = False


async def place(tx: Tx, placing: Placing, now: int, cart: Cart | None = None) -> Placed:
    """Make the order; with a cart, lock it first (`carts.lock`), and it makes one order in all its life."""
    existing = await _existing(tx, placing, cart)
    if existing is not None:
        return Placed(existing, is_new=False)
    if cart is not None:
        carts.check_open(cart, now)
    if not placing.lines:
        raise Invalid.field("lines", "cart_empty", "There is nothing in the cart.")
    order = _new_order(placing, await next_order_id(tx, placing.account_id, placing.day), now, cart)
    await tx.run(store.INSERT, to_row(order))
    await _note(tx, order, 1, "place", now, placing.by, "", None)
    await figures.follow(tx, order, is_new=True)
    if cart is not None:
        await carts.mark_ordered(tx, cart, placing.customer_phone, placing.customer_name, now)
    return Placed(order, is_new=True, announces=CREATED if order.state == "sent_to_kitchen" else UPDATED)


async def _existing(tx: Tx, placing: Placing, cart: Cart | None) -> Order | None:
    row: OrderRow | None = None
    if cart is not None:
        row = await tx.first(store.BY_CART, {"b_account": placing.account_id, "b_code": cart.code})
    if row is None and placing.message_key is not None:
        row = await tx.first(store.BY_MESSAGE, {"b_account": placing.account_id, "b_message": placing.message_key})
    return None if row is None else from_row(row)


def _new_order(placing: Placing, order_id: str, now: int, cart: Cart | None) -> Order:
    total = totals.total(placing.lines, placing.charges, placing.discounts)
    standing = first_standing(
        placing.order_type, placing.payment_method, total, accepts_by_itself=placing.accepts_by_itself
    )
    own = {"day", "accepts_by_itself", "by"}
    values: dict[str, Any] = {name: getattr(placing, name) for name in placing.__struct_fields__ if name not in own}
    values["notes"] = contents.clean_notes(placing.notes)
    return Order(
        **values,
        id=new_id(now),
        order_id=order_id,
        cart_code=None if cart is None else cart.code,
        state=standing.state,
        payment_state=standing.payment_state,
        total=total,
        created_at=now,
        updated_at=now,
    )


async def find(tx: Tx, account_id: int, order_id: str) -> Order:
    """By what people call it."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_order": order_id})
    if row is None:
        raise NotFound(no_such("order"), code="order_unknown")
    return from_row(row)


async def by_key(tx: Tx, account_id: int, key: str) -> Order | None:
    """By the key of its row."""
    row = await tx.first(store.BY_KEY, {"b_account": account_id, "b_id": key})
    return None if row is None else from_row(row)


async def by_names(tx: Tx, account_id: int, order_ids: Sequence[str]) -> dict[str, Order]:
    """Those of these that there are, by what people call them."""
    wanted = [{"b_account": account_id, "b_order": one} for one in dict.fromkeys(order_ids)]
    return {row["order_id"]: from_row(row) for row in await tx.gather(store.GET, wanted)}


async def history(tx: Tx, order: Order) -> list[HistoryRow]:
    return await tx.all(store.HISTORY, {"b_account": order.account_id, "b_key": order.id})


async def running(tx: Tx, account_id: int, venue_id: str) -> list[Order]:
    """What the board shows: everything that is not over, the oldest first."""
    return [from_row(row) for row in await tx.all(store.RUNNING, {"b_account": account_id, "b_venue": venue_id})]


async def seen_at(tx: Tx, account_id: int, tab_id: str) -> list[Order]:
    """What the guests of a table see of it, the oldest first: nothing that was called off."""
    found = await tx.all(store.SEEN_AT, {"b_account": account_id, "b_tab": tab_id})
    return [from_row(row) for row in reversed(found)]


async def has_finished(tx: Tx, account_id: int, venue_id: str, contact_id: str) -> bool:
    """Whether the venue knows a guest: an order of theirs was finished here before."""
    which = {"b_account": account_id, "b_venue": venue_id, "b_contact": contact_id}
    return await tx.first(store.FINISHED, which) is not None


async def is_settled(tx: Tx, account_id: int, tab_id: str) -> bool:
    """Whether everything that was ordered at a table is brought and paid, or was called off."""
    return await tx.first(store.UNSETTLED, {"b_account": account_id, "b_tab": tab_id}) is None


async def happen(
    tx: Tx, account_id: int, order_id: str, event: Event, by: Actor, who: str, now: int, *, reason: str = "",
    delay_min: int = 0, payment_method: PaymentMethod | None = None, revision: int | None = None,
    promised_at: int | None = None, tab_id: str | None = None, contact_id: str | None = None,
    link: LinkMoney | None = None, in_till: bool = True,
) -> OrderChange:  # fmt: skip
    """Something happens to an order. `who` is written down beside it: a person, a key, or what did it.

    `promised_at` counts from the nod, or from the moment at which the kitchen hears of it, however long that took. With
    `accept` come `tab_id`, where only the nod makes the order one of the table's, and `contact_id`, where the guest nods by
    a message. `link` is the payment link, or the refund of one, that tells of money. Cash that a courier takes is not
    `in_till` yet.

    With `revision`, only if the order is still that one: two tablets that tap at once do not step on each other.
    """
    if event == "revise":
        raise ValueError("call `revise`, which brings the lines")
    order = await lock(tx, account_id, order_id, revision)
    why = short_reason(tidy(reason))
    if event == "reject" and not why:
        raise Invalid.field("reason", "reason_missing", "Say why; the guest is told.")
    if event == "delay" and not 1 <= delay_min <= MAX_DELAY_MIN:
        raise Invalid.field("minutes", "delay_invalid", f"A delay is 1 to {MAX_DELAY_MIN} minutes.")
    moved = must(move(order.standing, event, by, payment_method=payment_method))
    changes: OrderChanges = {}
    if promised_at is not None and (event == "accept" or moved.enters_kitchen):
        changes["promised_at"] = promised_at
    if event == "accept" and tab_id is not None:
        changes["tab_id"] = tab_id
    if event == "accept" and contact_id is not None:
        changes["contact_id"] = contact_id
    await kitchen.follow_order(tx, order, event, who, now)
    if event == "delay":
        changes["promised_at"] = max(order.promised_at or now, now) + delay_min * MINUTE_MS
    return await keep(tx, order, moved, event, now, who, why, changes, link, in_till=in_till)


async def settle(tx: Tx, order: Order, state: State, who: str, now: int) -> OrderChange:
    """The order becomes what its lines say, by the event that leads there; it is locked already."""
    event = TO_STATE.get((order.state, state))
    if event is None:
        return OrderChange(order, order, changed=False)
    return await keep(tx, order, must(move(order.standing, event, "staff")), event, now, who, "", {})


async def take(tx: Tx, order: Order, shares: Sequence[payments.BillShare], who: str, now: int) -> OrderChange:
    """Money comes against the bill that the order is on, for all of it or a part; it is locked already."""
    must(move(order.standing, "take", "staff"))
    paid = await payments.take(tx, order, shares, who, now)
    return await keep(
        tx, order, must(move(order.standing, "take", "staff", payment_state=paid)), "take", now, who, "", {}
    )


async def take_back(tx: Tx, order: Order, part: payments.Payment, who: str, now: int, reason: str) -> OrderChange:
    """A part of a bill's payment goes back; the order is locked already."""
    must(move(order.standing, "take_back", "staff"))
    paid = await payments.take_back(tx, order, part, who, now)
    moved = must(move(order.standing, "take_back", "staff", payment_state=paid))
    return await keep(tx, order, moved, "take_back", now, who, reason, {})


async def put_back(tx: Tx, order: Order, share: payments.BillShare, who: str, now: int, reason: str) -> OrderChange:
    """Some of a bill's money that was for this order has gone back, and nobody asks for it again; it is locked already."""
    must(move(order.standing, "take_back", "staff"))
    paid = await payments.put_back(tx, order, share, who, now)
    moved = must(move(order.standing, "take_back", "staff", payment_state=paid))
    return await keep(tx, order, moved, "take_back", now, who, reason, {})


async def discount(tx: Tx, order: Order, discounts: Sequence[Extra], who: str, now: int, reason: str) -> OrderChange:
    """Something is let off, or no longer; the order is locked already."""
    total = totals.total(order.lines, order.charges, discounts)
    paid = payments.sum_up(await payments.of_order(tx, order), total)
    moved = must(move(order.standing, "discount", "staff", total=total, payment_state=paid))
    return await keep(tx, order, moved, "discount", now, who, reason, {"discounts": tuple(discounts)})


async def lock(tx: Tx, account_id: int, order_id: str, revision: int | None) -> Order:
    """The order, which nobody else changes until this transaction ends."""
    row = await tx.first(store.LOCK, {"b_account": account_id, "b_order": order_id})
    if row is None:
        raise NotFound(no_such("order"), code="order_unknown")
    order = from_row(row)
    if revision is not None and revision != order.revision:
        raise Conflict("The order has been changed meanwhile. Look at it again.", code="order_changed")
    return order


def must(answer: Moved | OrderRefusal) -> Moved:
    if isinstance(answer, OrderRefusal):
        raise Conflict(answer.detail, code=answer.code)
    return answer


async def keep(
    tx: Tx, order: Order, moved: Moved, event: str, now: int, who: str, reason: str, changes: OrderChanges,
    link: LinkMoney | None = None, *, in_till: bool = True,
) -> OrderChange:  # fmt: skip
    if not moved.changed:
        return OrderChange(order, order, changed=False)
    after = moved.standing
    if after.state in DEAD and order.state not in DEAD:
        after = msgspec.structs.replace(after, payment_state=await payments.return_gifts(tx, order, who, now))
    kept = msgspec.structs.replace(
        order,
        **changes,
        state=after.state,
        payment_state=after.payment_state,
        payment_method=after.payment_method,
        total=after.total,
        updated_at=now,
        closed_at=(order.closed_at or now) if after.state in CLOSED else None,
    )
    summed = await payments.note(tx, order, kept, event, who, now, link, in_till=in_till)
    if summed != kept.payment_state:
        raise ValueError(f"the payments of {order.order_id} come to {summed}, and not to {kept.payment_state}")
    row = to_row(kept)
    values = {f"new_{name}": row[name] for name in store.CHANGING}
    await tx.run(store.UPDATE, {"b_account": order.account_id, "b_id": order.id, **values})
    last = await tx.first(store.LAST_EVENT, {"b_account": order.account_id, "b_key": order.id})
    step = history_of.write_step(history_of.step_between(order, kept))
    await _note(tx, kept, (last["n"] if last else 0) + 1, event, now, who, reason, step)
    await figures.follow(tx, kept)
    announces = CREATED if moved.enters_kitchen else UPDATED
    return OrderChange(order, kept, changed=True, announces=announces, needs_refund=moved.needs_refund)


async def _note(
    tx: Tx, order: Order, number: int, event: str, now: int, who: str, reason: str, step: str | None
) -> None:
    row = {
        "account_id": order.account_id,
        "order_key": order.id,
        "number": number,
        "event": event,
        "state": order.state,
        "payment_state": order.payment_state,
        "at": now,
        "by": who,
        "reason": reason,
        "step": step,
    }
    await tx.run(store.INSERT_EVENT, row)
