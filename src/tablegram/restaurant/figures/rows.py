"""What a row of the store holds, column by column."""

from __future__ import annotations

from tablegram.restaurant.rows import HowMany
from tablegram.storage.shapes import TypedDict


class CountedRow(TypedDict):
    account_id: int
    order_key: str
    contact_id: str
    at: int
    venue_id: str
    order_type: str
    currency: str
    amount: int
    # How many of each, as JSON.
    dishes: str
    categories: str


class FiguresRow(TypedDict):
    account_id: int
    contact_id: str
    orders: int
    first_at: int
    last_at: int


class SummedFigures(HowMany):
    # Empty where nothing counts.
    first_at: int | None
    last_at: int | None


class CategoryOf(TypedDict):
    id: str
    category_id: str


class LastDishes(TypedDict):
    contact_id: str
    order_key: str
    # How many of each, as JSON.
    dishes: str


class DishRow(TypedDict):
    id: str
    name: str
    # JSON.
    translations: str
