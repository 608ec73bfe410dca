"""The life of an order: every state, every event, and what becomes of each pair of them.

Payment has a life of its own beside it. Both are tables, and `move` is a pure function over them.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

State = Literal[
    "awaiting_confirmation", "awaiting_payment", "sent_to_kitchen", "preparing", "ready", "served", "picked_up",
    "out_for_delivery", "delivered", "completed", "cancelled", "rejected", "expired",
]  # fmt: skip
PaymentState = Literal["unpaid", "link_sent", "partly_paid", "paid", "refunded", "failed"]
OrderType = Literal["dine_in", "takeaway", "delivery"]
PaymentMethod = Literal["pos_at_table", "cash", "card_on_delivery", "online_card"]
# How money came. Nobody orders by gift card: whoever has one pays the bill with it, or the order that has none.
PaidBy = PaymentMethod | Literal["gift_card"]
Event = Literal[
    "accept", "reject", "start", "finish", "recall", "set_back", "serve", "pick_up", "dispatch", "bring_back", "deliver",
    "complete", "cancel", "expire", "delay", "revise", "pay_in_person", "send_link", "pay", "fail_payment", "refund",
    "refund_part", "take", "take_back", "discount", "write_off", "undeliver",
    "pay_gift",
]  # fmt: skip
# Who does it: people of the restaurant, the guest, the payment provider, or time.
Actor = Literal["staff", "guest", "provider", "clock"]

STATES: tuple[State, ...] = get_args(State)
ORDER_TYPES: tuple[OrderType, ...] = get_args(OrderType)

# Nothing happens to these any more, but money may still come and go.
DEAD: frozenset[State] = frozenset({"cancelled", "rejected", "expired"})
CLOSED: frozenset[State] = DEAD | {"completed"}
# A dot is a refusal, `=` stays where it is, `gate` is the kitchen or, for what is paid online, the payment before it.
_GRID = """
                      accept reject   start     finish recall    set_back        serve  pick_up   dispatch
awaiting_confirmation gate   rejected .         .      .         .               .      .         .
awaiting_payment      .      rejected .         .      .         .               .      .         .
sent_to_kitchen       .      .        preparing ready  .         .               .      .         .
preparing             .      .        .         ready  .         sent_to_kitchen .      .         .
ready                 .      .        .         .      preparing sent_to_kitchen served picked_up out_for_delivery
served                .      .        .         .      .         .               .      .         .
picked_up             .      .        .         .      .         .               .      .         .
out_for_delivery      .      .        .         .      .         .               .      .         .
delivered             .      .        .         .      .         .               .      .         .
completed             .      .        .         .      .         .               .      .         .
cancelled             .      .        .         .      .         .               .      .         .
rejected              .      .        .         .      .         .               .      .         .
expired               .      .        .         .      .         .               .      .         .

                      bring_back deliver   complete  cancel    expire  delay revise pay_in_person
awaiting_confirmation .          .         .         cancelled expired =     =      =
awaiting_payment      .          .         .         cancelled expired =     =      sent_to_kitchen
sent_to_kitchen       .          .         .         cancelled .       =     =      =
preparing             .          .         .         cancelled .       =     =      =
ready                 .          .         .         cancelled .       .     .      =
served                .          .         completed cancelled .       .     .      =
picked_up             .          .         completed cancelled .       .     .      =
out_for_delivery      ready      delivered .         cancelled .       =     .      =
delivered             .          .         completed cancelled .       .     .      =
completed             .          .         .         .         .       .     .      .
cancelled             .          .         .         .         .       .     .      .
rejected              .          .         .         .         .       .     .      .
expired               .          .         .         .         .       .     .      .

                      send_link pay             fail_payment refund   refund_part
awaiting_confirmation .         =               =            =        =
awaiting_payment      =         sent_to_kitchen =            =        =
sent_to_kitchen       =         =               =            =        =
preparing             =         =               =            =        =
ready                 =         =               =            =        =
served                =         =               =            =        =
picked_up             =         =               =            =        =
out_for_delivery      =         =               =            =        =
delivered             =         =               =            =        =
completed             .         =               =            =        =
cancelled             .         =               =            =        =
rejected              .         =               =            =        =
expired               .         =               =            =        =

                      take take_back discount write_off
awaiting_confirmation .    .         .        .
awaiting_payment      .    .         .        .
sent_to_kitchen       =    =         =        .
preparing             =    =         =        .
ready                 =    =         =        .
served                =    =         =        completed
picked_up             =    =         =        completed
out_for_delivery      =    =         =        .
delivered             =    =         =        completed
completed             .    =         .        .
cancelled             .    =         .        .
rejected              .    =         .        .
expired               .    =         .        .

                      undeliver        pay_gift
awaiting_confirmation .                =
awaiting_payment      .                gate
sent_to_kitchen       .                =
preparing             .                =
ready                 .                =
served                .                =
picked_up             .                =
out_for_delivery      .                =
delivered             out_for_delivery =
completed             .                .
cancelled             .                .
rejected              .                .
expired               .                .
"""
# The same for money. Here `=` also means that a signal which comes twice, or too late, changes nothing; `sum` is what
# the order's payments come to.
_PAYMENT_GRID = """
            send_link pay  fail_payment refund   refund_part take take_back discount pay_gift
unpaid      link_sent paid failed       .        .           sum  .         sum      sum
link_sent   =         paid failed       .        .           sum  .         .        sum
failed      link_sent paid =            .        .           sum  .         sum      sum
partly_paid =         paid =            refunded =           sum  sum       sum      sum
paid        .         =    =            refunded =           .    sum       sum      .
refunded    .         =    =            =        =           .    sum       .        .
"""
# Events that make sense for one kind of order only.
_ONLY_FOR: dict[Event, OrderType] = {"serve": "dine_in", "pick_up": "takeaway", "dispatch": "delivery"}
# Once the kitchen has begun, a guest asks people.
_GUEST_MAY_CANCEL: frozenset[State] = frozenset({"awaiting_confirmation", "awaiting_payment", "sent_to_kitchen"})
PAYMENT_EVENTS: frozenset[Event] = frozenset({"send_link", "pay", "fail_payment", "refund", "refund_part"})
# Money against a table's bill, or from a gift card, which may be a part of an order's: whoever writes the payments says
# what they come to.
BILL_EVENTS: frozenset[Event] = frozenset({"take", "take_back", "discount", "pay_gift"})
_WHO: dict[Event, frozenset[Actor]] = {
    # A guest's own message is the nod that an order from a number which was only typed waits for.
    "accept": frozenset({"staff", "guest"}),
    "expire": frozenset({"clock"}),
    "cancel": frozenset({"staff", "guest", "clock"}),
    "reject": frozenset({"staff", "clock"}),
    "send_link": frozenset({"staff", "guest", "clock"}),
    "pay": frozenset({"staff", "provider"}),
    "fail_payment": frozenset({"provider", "clock"}),
    "refund": frozenset({"staff", "provider"}),
    "refund_part": frozenset({"staff", "provider"}),
    "pay_in_person": frozenset({"staff", "guest"}),
    "pay_gift": frozenset({"staff", "guest"}),
}
_STAFF: frozenset[Actor] = frozenset({"staff"})


def _read(grid: str) -> dict[tuple[str, str], str]:
    table: dict[tuple[str, str], str] = {}
    for block in grid.strip("\n").split("\n\n"):
        head, *rows = [line.split() for line in block.splitlines()]
        table |= {(row[0], event): cell for row in rows for event, cell in zip(head, row[1:], strict=True)}
    return table


# (state, event): the next state, "=" or "gate", or "." for a refusal.
TABLE = _read(_GRID)
PAYMENT_TABLE = _read(_PAYMENT_GRID)


class OrderStanding(msgspec.Struct, frozen=True):
    """What decides about an order's next step."""

    state: State
    payment_state: PaymentState
    order_type: OrderType
    payment_method: PaymentMethod
    # Minor units. What costs nothing need not be paid.
    total: int

    @property
    def is_settled(self) -> bool:
        return self.payment_state in ("paid", "refunded") or self.total == 0


class Moved(msgspec.Struct, frozen=True):
    """An event was allowed. `changed` is false where it only came again."""

    standing: OrderStanding
    changed: bool = True
    # For this order, the moment at which the kitchen hears of it: once in its life.
    enters_kitchen: bool = False
    # Money came for an order that is no more. It is never cooked; somebody has to give the money back.
    needs_refund: bool = False


class OrderRefusal(msgspec.Struct, frozen=True):
    """An event was not allowed; the code is stable, the words are for people."""

    code: str
    detail: str


def first_standing(
    order_type: OrderType, payment_method: PaymentMethod, total: int, *, accepts_by_itself: bool
) -> OrderStanding:
    """Where a new order begins: with somebody's nod, with the payment, or in the kitchen."""
    begun = OrderStanding("awaiting_confirmation", "unpaid", order_type, payment_method, total)
    return msgspec.structs.replace(begun, state=_gate(begun)) if accepts_by_itself else begun


def move(
    now: OrderStanding, event: Event, by: Actor, *, payment_method: PaymentMethod | None = None, total: int | None = None,
    payment_state: PaymentState | None = None,
) -> Moved | OrderRefusal:  # fmt: skip
    """What becomes of an order when something happens to it.

    `payment_method` comes with `pay_in_person`, `total` with `revise` and `discount`, and what the payments come to with
    `take`, `take_back`, `discount` and `pay_gift`; other events leave them as they are.
    """
    cell = TABLE[now.state, event]
    refusal = _refuse(now, event, by, cell, payment_method, total)
    if refusal is not None:
        return refusal
    after = now
    if event in PAYMENT_EVENTS:
        paid: PaymentState = _payment_after(now.payment_state, event)
        if paid == now.payment_state:
            # A signal that comes twice or too late moves nothing; a second link replaces the first, and a link for what
            # is left to pay may fail.
            fails = event == "fail_payment" and now.payment_state == "partly_paid"
            goes_back = event == "refund_part" and now.payment_state != "refunded"
            return Moved(now, changed=event == "send_link" or fails or goes_back)
        after = msgspec.structs.replace(now, payment_state=paid)
    if event in BILL_EVENTS:
        after = msgspec.structs.replace(now, payment_state=payment_state or now.payment_state)
        if event == "discount" and total is not None:
            after = msgspec.structs.replace(after, total=total)
    if event == "pay_in_person" and payment_method is not None:
        # A link that was sent is taken back.
        unpaid: PaymentState = "unpaid" if now.payment_state in ("failed", "link_sent") else now.payment_state
        after = msgspec.structs.replace(now, payment_method=payment_method, payment_state=unpaid)
    if event == "revise" and total is not None:
        # What now costs nothing need not wait for money.
        cell = "gate" if now.state == "awaiting_payment" else cell
        after = msgspec.structs.replace(now, total=total)
    after = msgspec.structs.replace(after, state=_state_after(after, cell))
    return Moved(
        after,
        enters_kitchen=after.state == "sent_to_kitchen" and event != "set_back" and now.state != "sent_to_kitchen",
        needs_refund=event == "pay" and now.state in DEAD,
    )


def _state_after(standing: OrderStanding, cell: str) -> State:
    if cell == "gate":
        return _gate(standing)
    if cell == "=":
        return standing.state
    after: State = msgspec.convert(cell, State)
    return after


def _gate(standing: OrderStanding) -> State:
    is_free = standing.total == 0 or standing.payment_state == "paid"
    waits = standing.payment_method == "online_card" and not is_free
    return "awaiting_payment" if waits else "sent_to_kitchen"


def _payment_after(state: PaymentState, event: Event) -> PaymentState:
    cell = PAYMENT_TABLE[state, event]
    after: PaymentState = state if cell == "=" else msgspec.convert(cell, PaymentState)
    return after


def _refuse(
    now: OrderStanding, event: Event, by: Actor, cell: str, payment_method: PaymentMethod | None, total: int | None
) -> OrderRefusal | None:
    if by not in _WHO.get(event, _STAFF):
        return OrderRefusal("not_allowed", f"`{event}` is not for the {by}.")
    if cell == ".":
        return OrderRefusal("state_conflict", f"An order that is {_said(now.state)} cannot be changed by `{event}`.")
    kind = _ONLY_FOR.get(event, now.order_type)
    if kind != now.order_type:
        return OrderRefusal(
            "state_conflict", f"`{event}` is for {_said(kind)} orders; this one is {_said(now.order_type)}."
        )
    if event == "cancel" and by == "guest" and now.state not in _GUEST_MAY_CANCEL:
        return OrderRefusal("too_late", "The kitchen has begun. Please ask the restaurant.")
    if event == "complete" and not now.is_settled:
        return OrderRefusal("not_paid", "The order is not paid. Note the payment first.")
    if event == "pay" and by == "staff" and now.payment_method == "online_card" and not now.is_settled:
        return OrderRefusal(
            "payment_conflict",
            "It is to be paid online, and only the payment provider can say so. Take the money in person: `pay_in_person`.",
        )
    if event == "accept" and now.payment_state == "refunded":
        return OrderRefusal("payment_conflict", "The money was given back. Cancel the order.")
    if event == "write_off" and now.is_settled:
        return OrderRefusal("payment_conflict", "Nothing of the order is open. Complete it.")
    if (event in PAYMENT_EVENTS or event in BILL_EVENTS) and PAYMENT_TABLE[now.payment_state, event] == ".":
        return OrderRefusal("payment_conflict", f"A payment that is {_said(now.payment_state)} allows no `{event}`.")
    return _refuse_change(now, event, payment_method, total)


def _refuse_change(
    now: OrderStanding, event: Event, payment_method: PaymentMethod | None, total: int | None
) -> OrderRefusal | None:
    """Money that was asked for or has come stays what it is."""
    if event == "pay_in_person":
        if payment_method is None or payment_method == "online_card":
            return OrderRefusal("payment_method_invalid", "Say how it is paid: pos_at_table, cash or card_on_delivery.")
        if now.payment_state in ("paid", "refunded"):
            return OrderRefusal("payment_conflict", f"The order is {_said(now.payment_state)} already.")
    if event == "revise":
        changes = total is not None and total != now.total
        if changes and now.payment_state in ("link_sent", "partly_paid", "paid", "refunded"):
            return OrderRefusal(
                "payment_conflict", "The total was asked for or paid already. Make a second order of what is new."
            )
    return None


def _said(name: str) -> str:
    return name.replace("_", " ")
