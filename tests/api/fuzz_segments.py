"""What a fuzzer cannot know of segments: rules that there are, and names that are free."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

_NAMES = (f"Segment {number}" for number in count())
_RULES = (
    {"all": [{"rule": "last_order", "never": True}, {"not": {"rule": "tag", "is": "vip"}}]},
    {"any": [{"rule": "orders", "at_most": 3}, {"rule": "spent", "currency": "TRY", "at_least": 12.5}]},
    {"rule": "customer_class", "is": "lost"},
)


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    names = ("segment_id", "spare_segment_id", "another_segment_id")
    return {
        name: made("/segments", {"name": next(_NAMES), "rules": rules})["id"]
        for name, rules in zip(names, ({"rule": "last_order", "never": True}, *_RULES[:2]), strict=True)
    }


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    if operation == "deleteSegment" and path.get("segment_id") == facts["segment_id"]:
        path["segment_id"] = facts["spare_segment_id"]


def fit(operation: str, case: Any) -> None:
    """A rule is one of those that the parts of the product bring, which no schema says."""
    if operation in ("createSegment", "updateSegment", "countSegment", "previewSegment"):
        if "name" in case.body:
            case.body["name"] = next(_NAMES)
        if "rules" in case.body:
            case.body["rules"] = _RULES[len(str(case.body["rules"])) % len(_RULES)]
