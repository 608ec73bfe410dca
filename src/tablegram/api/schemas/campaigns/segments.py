"""Bodies and answers of the calls about segments."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line
from tablegram.crm.answers.contacts import ContactView

_EXAMPLE = {
    "all": [
        {"rule": "last_order", "not_within_days": 30},
        {"rule": "orders", "at_least": 3},
    ]
}
_Name = Annotated[str, line(80, "What people call it; no two segments are called the same.", "Lost regulars")]
_Rules = Annotated[
    dict[str, Any],
    Meta(
        description='Who is in: {"all": [...]}, {"any": [...]}, {"not": {...}}, or a rule by its name with what it '
        "asks for. The rules are listed in the reference of segments. At most 40 rules, 6 deep.",
        examples=[_EXAMPLE, {"rule": "tag", "is": "vip"}],
    ),
]
_Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class CreateSegment(Struct, kw_only=True, forbid_unknown_fields=True):
    """A group of contacts by rules."""

    name: _Name
    rules: _Rules


class UpdateSegment(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    name: _Name | UnsetType = UNSET
    rules: _Rules | UnsetType = UNSET


class CountRules(Struct, kw_only=True, forbid_unknown_fields=True):
    """Rules that need not be saved."""

    rules: _Rules


class PreviewRules(Struct, kw_only=True, forbid_unknown_fields=True):
    """Rules that need not be saved, and the language of the answer's words."""

    rules: _Rules
    language: Annotated[Literal["en", "tr"], Meta(description="The language of `why`.")] = "en"


class SegmentView(Struct, kw_only=True):
    """A segment as it is kept."""

    id: str
    name: str
    rules: dict[str, Any]
    created_at: _Moment
    updated_at: _Moment
    updated_by: str


class CountedSegment(SegmentView, kw_only=True):
    """A segment, and how many contacts are in it at this moment."""

    count: int


class SegmentPage(Struct, kw_only=True):
    data: list[SegmentView]
    next_cursor: str | None


class SegmentCount(Struct, kw_only=True):
    count: int


class SegmentMembers(Struct, kw_only=True):
    data: list[ContactView]
    next_cursor: str | None


class PreviewedContact(Struct, kw_only=True):
    """Somebody who is in, and why."""

    contact_id: str
    name: str
    phone: str
    why: Annotated[list[str], Meta(description="The rules that put them in, in plain words.")]
    orders: Annotated[int, Meta(description="How many orders of theirs count; 0 without the scope restaurant:read.")]
    last_order_at: _Moment | None


class SegmentPreview(Struct, kw_only=True):
    """How many are in, and the first twenty of them."""

    count: int
    data: list[PreviewedContact]
