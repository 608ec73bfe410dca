"""What a fuzzer cannot know of templates: names that are free, and how variables, examples and buttons go together."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from uuid import uuid4

# Rejected by the sandbox each time, because its name says so; such a one may be edited as often as one likes.
_NAMES = (f"rejected_{uuid4().hex}_{number}" for number in count())
_BODY = {"language": "en", "category": "utility", "text": "See you soon."}
_BUTTONS = [{"type": "quick_reply", "text": "Yes"}, {"type": "url", "text": "Look", "url": "https://e.example/"}]


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    names = ("template_id", "spare_template_id")
    return {name: made("/templates", {**_BODY, "name": next(_NAMES)})["id"] for name in names}


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """Those of the sandbox itself are what other calls send. What is no id stays wrong."""
    ours = {"updateTemplate": "template_id", "deleteTemplate": "spare_template_id"}
    if operation in ours and len(str(path.get("template_id"))) == len(facts["template_id"]):
        path["template_id"] = facts[ours[operation]]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    if operation not in ("createTemplate", "updateTemplate"):
        return
    body = case.body
    if "name" in body:
        body["name"] = next(_NAMES)
    if "examples" in body:
        many = len(body["examples"])
        body["examples"] = ["Ay\u015fe"] * many
        body["text"] = "See you" + "".join(f", {{{{{number + 1}}}}} or" for number in range(many)) + " soon."
    elif "text" in body:
        body["text"] = "See you soon."
        if operation == "updateTemplate":
            # An earlier text may have had some.
            body["examples"] = []
    if body.get("header") is not None:
        body["header"] = {"format": "text", "text": "Hello"}
    if "footer" in body:
        body["footer"] = "Reply STOP to end."
    if "buttons" in body:
        body["buttons"] = _BUTTONS[: len(body["buttons"])]
