"""Bodies of the calls about segments."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line
from tablegram.values import Json

_EXAMPLE = {
    "all": [
        {"rule": "last_order", "not_within_days": 30},
        {"rule": "orders", "at_least": 3},
    ]
}
_Name = Annotated[str, line(80, "What people call it; no two segments are called the same.", "Lost regulars")]
_Rules = Annotated[
    Json,
    Meta(
        description='Who is in: {"all": [...]}, {"any": [...]}, {"not": {...}}, or a rule by its name with what it '
        "asks for. The rules are listed in the reference of segments. At most 40 rules, 6 deep.",
        examples=[_EXAMPLE, {"rule": "tag", "is": "vip"}],
    ),
]


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
