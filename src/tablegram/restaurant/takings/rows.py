"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.restaurant.bills.model import Kind, Method
from tablegram.restaurant.orders.states import PaidBy, State
from tablegram.storage.shapes import TypedDict


class TakenRow(TypedDict):
    """What came, or went back, in a quarter of an hour. Bills and single orders have their own names for how it came."""

    kind: Kind
    method: Method | PaidBy
    by: str
    quarter: int
    amount: int
    tip: int


class OwedRow(TypedDict):
    state: State
    amount: int


class LetOffRow(TypedDict):
    # Empty where nothing was.
    amount: int | None
