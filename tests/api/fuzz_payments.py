"""What a fuzzer cannot know of payments: which providers and links there are, and what keys look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

KEYS = {"secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=", "pay_url": "https://pay.example/{link_id}"}
LINK = {"amount": 450, "currency": "TRY", "description": "Dinner"}


def furnish(made: Callable[[str, Any], Any]) -> dict[str, Any]:
    """A provider that makes links without being asked, a spare one, and links for a second page."""
    facts: dict[str, Any] = {}
    for name in ("provider_id", "spare_provider_id"):
        facts[name] = made("/payment-providers", {"provider": "generic", "keys": KEYS, "mode": "test"})["id"]
    for _ in range(2):
        facts["link_id"] = made("/payment-links", LINK)["id"]
    return facts


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """What is taken away is the spare one."""
    if operation == "deletePaymentProvider" and path.get("provider_id") == facts["provider_id"]:
        path["provider_id"] = facts["spare_provider_id"]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if operation == "createPaymentProvider":
        body.update(provider="generic", keys=KEYS, mode="test")
    if operation == "updatePaymentProvider":
        case.path_parameters["provider_id"] = facts["provider_id"]
        if body.get("keys"):
            body["keys"] = KEYS
    if operation in ("createPaymentLink", "refundPaymentLink") and body.get("amount") is not None:
        # With as many decimals as the currency has.
        body["amount"] = max(1, int(body["amount"]))
    if operation == "createPaymentLink":
        if body.get("provider_id") is not None:
            body["provider_id"] = facts["provider_id"]
        if body.get("contact_id") is not None:
            body["contact_id"] = facts["contact_id"]


def take_times(operation: str, query: dict[str, Any]) -> None:
    if operation in ("listPaymentLinks", "listConsents"):
        for name in ("since", "until"):
            if name in query:
                query[name] = "2026-02-01T00:00:00Z"
