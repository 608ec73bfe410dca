"""What of an order each person sees and may do: a kitchen cooks, and neither rings guests up nor takes their money.

Programs are told apart by their keys alone: who may manage orders sees and does all of it.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from tablegram.accounts.keys.keys import Caller
from tablegram.flows.restaurant.orders.answers import OrderView

Seen = TypeVar("Seen", bound=OrderView)

PHONES = "contacts:read"
MONEY = "payments:manage"
_TAKES_MONEY = frozenset({"pay", "pay_in_person", "refund"})


def check_money(caller: Caller, action: str, *, pays: bool) -> None:
    """Refuses somebody whose role does not take money."""
    if caller.is_person and (action in _TAKES_MONEY or pays):
        caller.require(MONEY)


def sees_phones(caller: Caller) -> bool:
    """Whether guests' numbers are for this caller: to read, and to be found by."""
    return not caller.is_person or caller.has(PHONES)


def seen_by(caller: Caller, order: Seen) -> Seen:
    """The order as this caller may see it."""
    if not caller.is_person:
        return order
    if not sees_phones(caller):
        # The guest's own page would show what is left out here.
        customer = replace(order.customer, phone="")
        order = replace(
            order, customer=customer, contact_id="", address="", route_url="", status_url="", destination=None
        )
    if not caller.has(MONEY):
        order = replace(
            order,
            actions=[one for one in order.actions if one not in _TAKES_MONEY],
            items=[replace(one, unit_price=0) for one in order.items],
            total_amount=0,
            charges=[],
            discounts=[],
        )
    return order
