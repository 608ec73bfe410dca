"""What a fuzzer cannot know of notifications: their names, and which words go with which."""

from __future__ import annotations

from typing import Any

# Takes phones and no buttons.
_ALERT = "form_alert-1-en"
PHONE = "905551112233"
_CALLS = ("setStoreNotification", "previewStoreNotification", "setStoreSourceNotification")
_NAMED = (*_CALLS, "unsetStoreSourceNotification")


def fit(operation: str, case: Any) -> None:
    """Variables and buttons of the kind, and fields that need each other."""
    if operation in _NAMED:
        case.path_parameters["notification_id"] = _ALERT
    if operation not in _CALLS:
        return
    body = case.body
    if "text" in body:
        body["text"] = "{name} wrote: {answers}"
    if "quiet_from" in body or "quiet_until" in body:
        body["quiet_from"], body["quiet_until"] = "22:00", "08:00"
    if "template_name" in body:
        body["template_language"] = "en"
    if "template_variables" in body:
        body["template_variables"] = ["name"]
    # A picture that was uploaded is known by its id alone.
    body.pop("image_id", None)
    if "buttons" in body:
        body["buttons"] = []
    if "phones" in body or body.get("enabled"):
        body["phones"] = [PHONE]
