"""Orders as staff and programs see them: the fields of the event, and what can be done next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tablegram.restaurant.orders.event import order_event
from tablegram.restaurant.orders.methods import IN_PERSON
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import CLOSED, Event, Moved, move
from tablegram.storage.database import Row
from tablegram.values.clock import SECOND_MS, iso

# What people of the restaurant may do to an order, in the order of its life.
ACTIONS: tuple[Event, ...] = (
    "accept", "reject", "start", "finish", "recall", "serve", "pick_up", "dispatch", "bring_back", "deliver",
    "pay_in_person", "pay", "complete", "delay", "cancel", "refund",
)  # fmt: skip
# What ends an order with a reason, once in its life.
ENDED_BY: tuple[Event, ...] = ("reject", "cancel")


def actions(order: Order) -> list[str]:
    """What staff may do to it right now."""
    found: list[str] = []
    for event in ACTIONS:
        # Money for what is no more is noted when it comes, but nobody is asked to take it.
        if event == "pay" and order.state in CLOSED:
            continue
        method = order.payment_method if order.payment_method in IN_PERSON else "cash"
        answer = move(order.standing, event, "staff", payment_method=method)
        if isinstance(answer, Moved) and answer.changed:
            found.append(event)
    return found


def view(order: Order, now: int, status_url: str) -> dict[str, Any]:
    """One order. Amounts are decimal numbers."""
    body = order_event(order)
    del body["event"]
    for item, line in zip(body["items"], order.lines, strict=True):
        # Whoever changes the order sends its lines again, by the ids of their options.
        item["choices"] = [{"option_id": one.option_id, "quantity": one.quantity} for one in line.choices]
    return {
        **body,
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


def reason_of(rows: Sequence[Row]) -> str:
    """Why the order was rejected or cancelled, by its history; nothing for any other."""
    return next((row["reason"] for row in rows if row["event"] in ENDED_BY), "")


def history_view(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [
        {
            "event": row["event"],
            "status": row["state"],
            "payment_status": row["payment_state"],
            "at": iso(row["at"]),
            "by": row["by"],
            "reason": row["reason"],
        }
        for row in rows
    ]
