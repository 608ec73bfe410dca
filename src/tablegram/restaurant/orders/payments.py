"""The payments of an order, each a row of its own, and what they come to.

The order's payment state is summed up from them and kept beside the order, where lists and sums are made of it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import PAYMENT_EVENTS, PaidBy, PaymentState
from tablegram.restaurant.rows.orders import MoneyKind, MoneyState, PaymentRow
from tablegram.restaurant.store import payments as store
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.till.model import Kind as TillKind
from tablegram.storage.database import Params, Tx
from tablegram.values.ids import new_id

Kind = MoneyKind
# `asked` waits for the guest; `dropped` was given up before any money came, or taken by mistake and given back.
State = MoneyState


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """A movement of money, or the wish for one. Amounts are positive; a refund goes the other way."""

    account_id: int
    id: str
    order_key: str
    kind: Kind
    method: PaidBy
    amount: int
    currency: str
    state: State
    by: str
    # What somebody outside calls it, who may tell of it twice.
    reference: str | None = None
    # The payment of a table's bill that this is a part of.
    tab_payment_id: str | None = None
    created_at: int
    settled_at: int | None = None


class LinkMoney(msgspec.Struct, frozen=True):
    """Money by a payment link: what the link, or a refund of it, is called, and how much it is."""

    reference: str
    amount: int


def came_in(payments: Iterable[Payment]) -> int:
    """The money that came, whatever went back later."""
    return sum(one.amount for one in payments if one.kind == "payment" and one.state == "succeeded")


def went_back(payments: Iterable[Payment]) -> int:
    return sum(one.amount for one in payments if one.kind == "refund" and one.state == "succeeded")


def sum_up(payments: Iterable[Payment], total: int) -> PaymentState:
    """What the payments of an order come to."""
    rows = [one for one in payments if one.state != "dropped"]
    came = [one.amount for one in rows if one.kind == "payment" and one.state == "succeeded"]
    went = [one.amount for one in rows if one.kind == "refund" and one.state == "succeeded"]
    if went and sum(went) >= sum(came):
        return "refunded"
    if came:
        return "paid" if sum(came) >= total else "partly_paid"
    open_states = {one.state for one in rows if one.kind == "payment"}
    return "link_sent" if "asked" in open_states else "failed" if "failed" in open_states else "unpaid"


async def of_order(tx: Tx, order: Order) -> list[Payment]:
    rows = await tx.all(store.OF_ORDER, {"b_account": order.account_id, "b_key": order.id})
    return [read_movement(row) for row in rows]


async def orders_of(tx: Tx, account_id: int, payment_ids: Iterable[str]) -> dict[str, str]:
    """What the orders that payments are for are called, by payment."""
    wanted = [{"b_account": account_id, "b_id": one} for one in payment_ids]
    return {row["id"]: row["order_id"] for row in await tx.gather(store.ORDER_OF, wanted)} if wanted else {}


async def left_to_pay(tx: Tx, order: Order) -> int:
    """What the guest still has to pay: minor units, nothing for what is settled."""
    return 0 if order.standing.is_settled else max(0, order.total - came_in(await of_order(tx, order)))


async def note(
    tx: Tx, before: Order, after: Order, event: str, who: str, now: int, link: LinkMoney | None = None, *,
    in_till: bool = True,
) -> PaymentState:  # fmt: skip
    """Write down what an event means for the order's payments; returns what they come to then.

    Cash is in the drawer with its payment, unless somebody who is on the way carries it.
    """
    if event not in PAYMENT_EVENTS and event != "pay_in_person":
        return after.payment_state
    rows = await of_order(tx, before)
    made, changed = (
        moved_by(event, before, rows, who, now)
        if link is None or event == "pay_in_person"
        else moved_by_link(event, before, rows, who, now, link)
    )
    for one in changed:
        await _settle(tx, one, now)
    for one in made:
        await tx.run(store.INSERT, row_of(one))
    for one in (*made, *changed) if in_till else ():
        if one.method == "cash" and one.state == "succeeded":
            kind: TillKind = "taken" if one.kind == "payment" else "given_back"
            source = f"order:{one.id}"
            await till.note(tx, one.account_id, after.venue_id, one.currency, kind, one.amount, who, now, source=source)
    return sum_up(await of_order(tx, after), after.total)


def moved_by(
    event: str, order: Order, payments: list[Payment], who: str, now: int
) -> tuple[list[Payment], list[Payment]]:
    """The payments that an event adds, and those that it settles."""
    waiting = [one for one in payments if one.state == "asked"]
    left = max(0, order.total - came_in(payments))
    if event == "send_link":
        # A second link takes the place of the first.
        return [_new(order, "payment", "asked", left, who, now)], [_as(one, "dropped", now) for one in waiting]
    if event == "pay_in_person":
        return [], [_as(one, "dropped", now) for one in payments if one.state in ("failed", "asked")]
    if event == "refund":
        made = [(_new(order, "refund", "succeeded", held, who, now), way) for way, held in _held(order, payments)]
        return [msgspec.structs.replace(one, method=way) for one, way in made], []
    outcome: State = "succeeded" if event == "pay" else "failed"
    if waiting and order.payment_method == "online_card":
        return [], [_as(waiting[-1], outcome, now)]
    if outcome == "failed" and left < order.total:
        return [], []
    # Whoever pays at the table after all leaves the link alone.
    return [_new(order, "payment", outcome, left, who, now)], [_as(one, "dropped", now) for one in waiting]


def _held(order: Order, payments: list[Payment]) -> list[tuple[PaidBy, int]]:
    """What is still here of the money, by the way it came, for so it goes back: bills are paid as guests like, whatever
    their orders said.
    """
    left = came_in(payments) - went_back(payments)
    found: list[tuple[PaidBy, int]] = []
    for method in dict.fromkeys(one.method for one in payments):
        own = [one for one in payments if one.method == method]
        here = min(left, came_in(own) - went_back(own))
        if here > 0:
            found.append((method, here))
            left -= here
    return found or [(order.payment_method, left)]


def moved_by_link(
    event: str, order: Order, payments: list[Payment], who: str, now: int, link: LinkMoney
) -> tuple[list[Payment], list[Payment]]:
    """The same where a link tells of it: its money is told from any other by the link's name."""
    own = [one for one in payments if one.reference == link.reference and one.kind == "payment"]
    others = [_as(one, "dropped", now) for one in payments if one.state == "asked" and one not in own]
    if event == "refund":
        # With the last of the link's money goes what a gift card paid beside it.
        return [_by_link(order, "refund", "succeeded", who, now, link), *_gifts_back(order, payments, who, now)], []
    if event == "refund_part":
        return [_by_link(order, "refund", "succeeded", who, now, link)], []
    if event == "send_link":
        return [_by_link(order, "payment", "asked", who, now, link)], others
    outcome: State = "succeeded" if event == "pay" else "failed"
    if own:
        # Whatever became of the row before: money that comes is there.
        return [], [*others, _as(own[-1], outcome, now)]
    return [_by_link(order, "payment", outcome, who, now, link)], others


def _by_link(order: Order, kind: Kind, state: State, who: str, now: int, link: LinkMoney) -> Payment:
    made = _new(order, kind, state, link.amount, who, now)
    return msgspec.structs.replace(made, method="online_card", reference=link.reference)


def gift_held(payments: Iterable[Payment]) -> int:
    """What gift cards paid for an order itself, and not for a bill, and still do."""
    own = [one for one in payments if one.method == "gift_card" and one.tab_payment_id is None]
    return came_in(own) - went_back(own)


async def spend_gift(tx: Tx, order: Order, amount: int, who: str, now: int) -> tuple[Payment, PaymentState]:
    """A gift card pays for an order. A link that waits, or failed, asks for another sum now, and is given up."""
    await _give_up(tx, order, now)
    made = msgspec.structs.replace(_new(order, "payment", "succeeded", amount, who, now), method="gift_card")
    await tx.run(store.INSERT, row_of(made))
    return made, sum_up(await of_order(tx, order), order.total)


async def return_gifts(tx: Tx, order: Order, who: str, now: int) -> PaymentState:
    """The order is called off: what gift cards paid for it goes back by itself. Returns what the payments come to."""
    if order.payment_state not in ("paid", "partly_paid"):
        return order.payment_state
    back = _gifts_back(order, await of_order(tx, order), who, now)
    for one in back:
        await tx.run(store.INSERT, row_of(one))
    return sum_up(await of_order(tx, order), order.total) if back else order.payment_state


def _gifts_back(order: Order, payments: list[Payment], who: str, now: int) -> list[Payment]:
    held = gift_held(payments)
    made = _new(order, "refund", "succeeded", held, who, now)
    return [msgspec.structs.replace(made, method="gift_card")] if held > 0 else []


class BillShare(msgspec.Struct, frozen=True):
    """A part of a bill's payment that is for one order."""

    amount: int
    method: PaidBy
    tab_payment_id: str


async def take(tx: Tx, order: Order, shares: Iterable[BillShare], who: str, now: int) -> PaymentState:
    """Money came against a bill. A link that waits, or failed, is given up. Returns what the payments come to."""
    await _give_up(tx, order, now)
    for share in shares:
        made = _new(order, "payment", "succeeded", share.amount, who, now)
        kept = msgspec.structs.replace(made, method=share.method, tab_payment_id=share.tab_payment_id)
        await tx.run(store.INSERT, row_of(kept))
    return sum_up(await of_order(tx, order), order.total)


async def take_back(tx: Tx, order: Order, part: Payment, who: str, now: int) -> PaymentState:
    """A part of a bill's payment goes back: of an order that is over it is a refund, else it never came."""
    if order.state == "completed":
        made = _new(order, "refund", "succeeded", part.amount, who, now)
        kept = msgspec.structs.replace(made, method=part.method, tab_payment_id=part.tab_payment_id)
        await tx.run(store.INSERT, row_of(kept))
    else:
        await _settle(tx, _as(part, "dropped", now), now)
    return sum_up(await of_order(tx, order), order.total)


async def put_back(tx: Tx, order: Order, share: BillShare, who: str, now: int) -> PaymentState:
    """Money that came has gone back, and is not asked for again."""
    made = _new(order, "refund", "succeeded", share.amount, who, now)
    kept = msgspec.structs.replace(made, method=share.method, tab_payment_id=share.tab_payment_id)
    await tx.run(store.INSERT, row_of(kept))
    return sum_up(await of_order(tx, order), order.total)


async def _give_up(tx: Tx, order: Order, now: int) -> None:
    for one in await of_order(tx, order):
        if one.state in ("asked", "failed"):
            await _settle(tx, _as(one, "dropped", now), now)


async def _settle(tx: Tx, one: Payment, now: int) -> None:
    await tx.run(store.SETTLE, {"b_account": one.account_id, "b_id": one.id, "state": one.state, "now": now})


def row_of(payment: Payment) -> Params:
    return msgspec.structs.asdict(payment)


def _new(order: Order, kind: Kind, state: State, amount: int, who: str, now: int) -> Payment:
    return Payment(
        account_id=order.account_id, id=new_id(now), order_key=order.id, kind=kind, method=order.payment_method,
        amount=amount, currency=order.currency, state=state, by=who, created_at=now,
        settled_at=None if state == "asked" else now,
    )  # fmt: skip


def _as(payment: Payment, state: State, now: int) -> Payment:
    return msgspec.structs.replace(payment, state=state, settled_at=now)


def read_movement(row: PaymentRow) -> Payment:
    return Payment(
        account_id=row["account_id"],
        id=row["id"],
        order_key=row["order_key"],
        kind=row["kind"],
        method=row["method"],
        amount=row["amount"],
        currency=row["currency"],
        state=row["state"],
        by=row["by"],
        reference=row["reference"],
        tab_payment_id=row["tab_payment_id"],
        created_at=row["created_at"],
        settled_at=row["settled_at"],
    )
