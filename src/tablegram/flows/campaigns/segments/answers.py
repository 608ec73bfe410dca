"""What the flows of segments answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.crm.answers.contacts import ContactView
from tablegram.values import Json
from tablegram.values.clock import MomentText


class SegmentView(Struct, kw_only=True, frozen=True):
    """A segment as it is kept."""

    id: str
    name: str
    rules: Json
    created_at: MomentText
    updated_at: MomentText
    updated_by: str


class CountedSegment(SegmentView, kw_only=True, frozen=True):
    """A segment, and how many contacts are in it at this moment."""

    count: int


class SegmentPage(Struct, kw_only=True, frozen=True):
    data: list[SegmentView]
    next_cursor: str | None


class SegmentCount(Struct, kw_only=True, frozen=True):
    count: int


class SegmentMembers(Struct, kw_only=True, frozen=True):
    data: list[ContactView]
    next_cursor: str | None


class PreviewedContact(Struct, kw_only=True, frozen=True):
    """Somebody who is in, and why."""

    contact_id: str
    name: str
    phone: str
    why: Annotated[list[str], Meta(description="The rules that put them in, in plain words.")]
    orders: Annotated[int, Meta(description="How many orders of theirs count; 0 without the scope restaurant:read.")]
    last_order_at: MomentText | None


class SegmentPreview(Struct, kw_only=True, frozen=True):
    """How many are in, and the first twenty of them."""

    count: int
    data: list[PreviewedContact]
