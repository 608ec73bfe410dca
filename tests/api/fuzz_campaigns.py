"""What a fuzzer cannot know of campaigns: which there are, how variables are written, and which fields need each other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

_DRAFTS = ("createCampaign", "updateCampaign")


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A draft, and another that is over."""
    fields = {"name": "Brunch", "texts": ["Hi {{name|friend}}"]}
    drafts = [made("/campaigns", fields)["id"] for _ in range(2)]
    return {"campaign_id": drafts[0], "begun_campaign": drafts[1]}


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Names of what exists, and fields that go together, which a schema cannot say."""
    if operation == "updateCampaign" or operation in ("previewCampaign", "testCampaign"):
        case.path_parameters["campaign_id"] = facts["campaign_id"]
    if operation == "startCampaign":
        # One that has something to say.
        case.path_parameters["campaign_id"] = facts["begun_campaign"]
        if isinstance(case.body, dict) and case.body.get("starts_at") is not None:
            # Within the next 90 days.
            case.body["starts_at"] = (datetime.now(UTC) + timedelta(days=7)).isoformat()
    body = case.body
    if operation == "previewCampaign" and body.get("contact_id") is not None:
        body["contact_id"] = facts["contact_id"]
    if operation not in _DRAFTS:
        return
    if operation == "createCampaign" or "texts" in body:
        # Whatever is made may be started or tried by another call.
        body["texts"] = [f"Hi {{{{name|friend}}}} {number}" for number in range(max(1, len(body.get("texts", []))))]
    if "media_url" in body:
        body["media_url"] = "https://e.example/brunch.jpg"
    if "versions" in body:
        # The first also stands in the fields of the campaign itself, which must not say something else.
        for name in ("template_name", "template_language", "template_variables", "template_stop_button", "media_kind"):
            body.pop(name, None)
        body.pop("media_url", None)
        named = [{"template_name": f"t{number}", "template_variables": ["{{first_name}}"]} for number in (1, 2, 3)]
        body["versions"] = named[: len(body["versions"])]
    if "template_variables" in body:
        body["template_variables"] = ["{{first_name}}"]
    if "time_zone" in body:
        body["time_zone"] = "Europe/Istanbul"
    if "quiet_from" in body or "quiet_until" in body:
        body["quiet_from"], body["quiet_until"] = "22:00", "08:00"
    # What is drafted can be tried: its kind is the one that needs nothing more.
    body.pop("kind", None)
    body.pop("segment_id", None)
    # Pictures are uploaded first, and are somebody else's matter.
    body.pop("image_id", None)
    if body.get("instance_id") is not None:
        body["instance_id"] = facts["line"]
