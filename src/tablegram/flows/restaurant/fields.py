"""What may be given when something of a venue is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import TypedDict


class TableFields(TypedDict, total=False):
    label: str
    section_id: str | None
    waiter_id: str | None
    seats: int | None
    position: int


class WaiterFields(TypedDict, total=False):
    """Calls from their tables are sent to `phone`; who signs in as them is `member_id`."""

    name: str
    phone: str | None
    member_id: str | None


class SectionFields(TypedDict, total=False):
    name: str
    waiter_id: str | None
    position: int
