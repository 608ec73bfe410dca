"""Calls from tables."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.restaurant.calls import Kind
from tablegram.values.clock import MomentText


class TableCall(Struct, kw_only=True, frozen=True):
    """A guest who calls."""

    id: str
    kind: Kind
    table_id: str
    table_number: str
    waiter_assigned: str
    note: str
    payment_method: Annotated[str, Meta(description="With the bill: cash or card, as the guest chose; else empty.")]
    amount: Annotated[float | None, Meta(description="With the bill: what was open at that moment.")]
    created_at: MomentText
    age_s: int


class TableCallPage(Struct, kw_only=True, frozen=True):
    """Calls that nobody answered yet, the longest waiting first."""

    data: list[TableCall]
    next_cursor: str | None


class AnsweredCall(Struct, kw_only=True, frozen=True):
    """Somebody goes there."""

    id: str
    answered_by: Annotated[str, Meta(description="A person's or a key's name.")]
