"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.restaurant.bills.model import Kind, Method
from tablegram.restaurant.orders.states import PaidBy
from tablegram.storage.shapes import TypedDict


class TabRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    table_id: str
    state: Literal["open", "closed"]
    opened_at: int
    last_at: int
    closed_at: int | None
    closed_by: str | None
    close_reason: str | None


class TabPaymentRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    tab_id: str
    kind: Kind
    of: str | None
    method: Method
    amount: int
    tip: int
    given: int | None
    currency: str
    # JSON.
    lines: str
    parts: int | None
    by: str
    reason: str
    created_at: int
    reference: str | None


class DiscountRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    tab_id: str
    order_key: str | None
    line: int | None
    percent: int | None
    amount: int
    reason: str
    by: str
    created_at: int
    removed_at: int | None
    removed_by: str


class OwnRow(TypedDict):
    order_id: str
    kind: Kind
    method: PaidBy
    amount: int
    by: str
    created_at: int


class TableLabel(TypedDict):
    label: str


class OrderAmount(TypedDict):
    order_key: str
    amount: int


class OrderMoney(OrderAmount):
    kind: Kind


class GoneRow(TypedDict):
    tab_payment_id: str
    amount: int


class SeatedRow(TypedDict):
    id: str
    table_id: str
    opened_at: int
    orders: int
    total: int
    open: int
