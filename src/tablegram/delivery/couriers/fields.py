"""What may be given when a courier is taken on or changed. What is not named is not there."""

from __future__ import annotations

from typing import TypedDict


class CourierFields(TypedDict, total=False):
    name: str
    phone: str
    venue_id: str | None
    member_id: str | None
    language: str | None
    active: bool
