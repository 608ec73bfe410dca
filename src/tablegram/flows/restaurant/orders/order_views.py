"""Orders as staff and programs see them: the fields of the event, and what can be done next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from tablegram.flows.restaurant.answers.calls import TableCall
from tablegram.flows.restaurant.kitchen.answers import LineProgress
from tablegram.flows.restaurant.orders.answers import (
    OrderChoice,
    OrderCustomer,
    OrderDestination,
    OrderExtra,
    OrderItem,
    OrderRequestView,
    OrderStep,
    OrderView,
    WholeOrder,
)
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.event import ToldItem, order_event
from tablegram.restaurant.orders.methods import IN_PERSON
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import CLOSED, Event, Moved, move
from tablegram.restaurant.rows.orders import HistoryRow
from tablegram.values.clock import SECOND_MS, iso

# What people of the restaurant may do to an order, in the order of its life.
ACTIONS: tuple[Event, ...] = (
    "accept", "reject", "start", "finish", "recall", "serve", "pick_up", "dispatch", "bring_back", "deliver",
    "send_link", "pay_in_person", "pay", "complete", "delay", "cancel", "refund",
)  # fmt: skip
# What ends an order with a reason, once in its life.
ENDED_BY: tuple[Event, ...] = ("reject", "cancel")


class Board(Struct, kw_only=True, frozen=True):
    """What a venue's people have before them."""

    orders: list[OrderView]
    # How far each line of each order is, by the order's number.
    progress: dict[str, list[LineProgress]]
    calls: list[TableCall]
    # What guests want of orders that the kitchen has begun.
    requests: list[OrderRequestView]


def actions(order: Order) -> list[str]:
    """What staff may do to it right now."""
    found: list[str] = []
    for event in ACTIONS:
        # Money for what is no more is noted when it comes, but nobody is asked to take it.
        if event == "pay" and order.state in CLOSED:
            continue
        if event == "send_link" and order.payment_method != "online_card":
            continue
        method = order.payment_method if order.payment_method in IN_PERSON else "cash"
        answer = move(order.standing, event, "staff", payment_method=method)
        if isinstance(answer, Moved) and answer.changed:
            found.append(event)
    return found


def view(order: Order, now: int, status_url: str, reason: str = "") -> OrderView:
    """One order. Amounts are decimal numbers."""
    return OrderView(**_fields(order, now, status_url, reason))


def whole_view(order: Order, now: int, status_url: str, rows: Sequence[HistoryRow]) -> WholeOrder:
    """The order with its history."""
    return WholeOrder(**_fields(order, now, status_url, reason_of(rows)), history=history_view(rows))


def _fields(order: Order, now: int, status_url: str, reason: str) -> dict[str, Any]:
    body = order_event(order, reason=reason)
    known: Mapping[str, object] = body
    told = {name: known[name] for name in OrderView.__struct_fields__ if name in known}
    return {
        **told,
        "customer": OrderCustomer(**body["customer"]),
        "items": [_item(item, line) for item, line in zip(body["items"], order.lines, strict=True)],
        "destination": None if body["destination"] is None else OrderDestination(**body["destination"]),
        "charges": [OrderExtra(**one) for one in body["charges"]],
        "discounts": [OrderExtra(**one) for one in body["discounts"]],
        "table_id": order.table_id,
        "tab_id": order.tab_id,
        "stations": sorted({line.station for line in order.lines}),
        "actions": actions(order),
        "age_s": max(0, now - order.created_at) // SECOND_MS,
        # How far behind the promise it is; less than nothing while there is time.
        "late_s": None if order.promised_at is None else (now - order.promised_at) // SECOND_MS,
        "closed_at": iso(order.closed_at),
        "status_url": status_url,
    }


def _item(item: ToldItem, line: PricedLine) -> OrderItem:
    # Whoever changes the order sends its lines again, by the ids of their options.
    choices = [OrderChoice(option_id=one.option_id, quantity=one.quantity) for one in line.choices]
    return OrderItem(**item, choices=choices)


def reason_of(rows: Sequence[HistoryRow]) -> str:
    """Why the order was rejected or cancelled, by its history; nothing for any other."""
    return next((row["reason"] for row in rows if row["event"] in ENDED_BY), "")


def history_view(rows: Sequence[HistoryRow]) -> list[OrderStep]:
    return [
        OrderStep(
            event=row["event"], status=row["state"], payment_status=row["payment_state"], at=iso(row["at"]) or "",
            by=row["by"], reason=row["reason"],
        )
        for row in rows
    ]  # fmt: skip
