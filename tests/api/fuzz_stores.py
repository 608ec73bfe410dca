"""What a fuzzer cannot know of shops: which there are, what they delivered, and which facts a mapping may name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SHOP = {"platform": "woocommerce", "name": "Shop", "country": "TR"}


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A shop with two deliveries, and a spare one."""
    facts: dict[str, Any] = {}
    for name in ("source_id", "spare_source_id"):
        facts[name] = made("/stores/sources", SHOP)["id"]
    for _ in range(2):
        made(f"/stores/sources/{facts['source_id']}/test", {"phone": "905551112233"})
    return facts


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """What is taken away is the spare one."""
    if operation == "deleteStoreSource" and path.get("source_id") == facts["source_id"]:
        path["source_id"] = facts["spare_source_id"]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if operation == "createStoreSource":
        body.update(platform="woocommerce")
        body.pop("mapping", None)
    if operation == "updateStoreSource":
        case.path_parameters["source_id"] = facts["source_id"]
        # A platform that says itself where everything is takes none; and it stays heard, with its own secret.
        for name in ("mapping", "active", "secret"):
            body.pop(name, None)
    if operation in ("createStoreSource", "updateStoreSource"):
        # Of GloriaFood alone.
        body.pop("venue_id", None)
    if operation in ("createStoreSource", "updateStoreSource") and body.get("instance_id") is not None:
        body["instance_id"] = facts["line"]
