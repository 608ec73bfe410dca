"""What a fuzzer cannot know of automations: what begins them, which steps there are, and whom there is to try them on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_STEPS = (
    [{"do": "wait", "hours": 1}, {"do": "feedback", "text": "How was it, {{first_name|dear guest}}?"}],
    [{"do": "condition", "rules": {"rule": "tag", "is": "vip"}}, {"do": "message", "text": "Hi {{name|friend}}"}],
    [{"do": "coupon", "name": "10% off", "percent": 10}, {"do": "message", "text": "{{coupon}}"}, {"do": "end"}],
)
_TRIGGERS = (
    {"on": "first_order"},
    {"on": "no_order", "days": 45},
    {"on": "birthday"},
    {"on": "tag_added", "tag": "vip"},
)


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A draft, and another that may be put away."""
    ids = [made("/automations", {"preset": preset})["id"] for preset in ("feedback", "welcome")]
    return {"automation_id": ids[0], "spare_automation_id": ids[1]}


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    if operation == "archiveAutomation" and path.get("automation_id") == facts["automation_id"]:
        path["automation_id"] = facts["spare_automation_id"]


def stay_ours(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """One that has no steps yet is refused, which no schema says."""
    if operation == "turnOnAutomation":
        case.path_parameters["automation_id"] = facts["automation_id"]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """A trigger and steps that there are, which no schema says."""
    body = case.body
    if operation == "tryAutomation":
        case.path_parameters["automation_id"] = facts["automation_id"]
        body["contact_id"] = facts["contact_id"]
    if operation not in ("createAutomation", "updateAutomation"):
        return
    size = len(str(body))
    if operation == "updateAutomation":
        case.path_parameters["automation_id"] = facts["automation_id"]
    elif "preset" not in body:
        body.setdefault("name", "Flow")
        body.setdefault("trigger", {})
    if "trigger" in body:
        body["trigger"] = _TRIGGERS[size % len(_TRIGGERS)]
    if "steps" in body:
        body["steps"] = _STEPS[size % len(_STEPS)]
    if "time_zone" in body:
        body["time_zone"] = "Europe/Istanbul"
    if "quiet_from" in body or "quiet_until" in body:
        body["quiet_from"], body["quiet_until"] = "22:00", "08:00"
    if "phones" in body:
        body["phones"] = body["phones"] and ["905551112233"]
    if body.get("instance_id") is not None:
        body["instance_id"] = facts["line"]
