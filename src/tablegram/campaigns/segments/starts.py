"""Groups that most owners look for first, by the name of each."""

from __future__ import annotations

from typing import Any


def starts(currency: str) -> dict[str, list[dict[str, Any]]]:
    """The rules of each, all of which hold; `currency` is the one that amounts are usually in."""
    return {
        "regulars": [{"rule": "orders", "at_least": 4, "within_days": 90}],
        "lost": [{"rule": "last_order", "not_within_days": 30}, {"rule": "orders", "at_least": 3}],
        "birthdays": [{"rule": "birthday", "month": "this"}],
        "spenders": [{"rule": "spent", "at_least": 1000, "currency": currency, "within_days": 180}],
        "new": [{"rule": "customer_class", "is": "new"}],
        "never": [{"rule": "last_order", "never": True}],
    }


STARTS = tuple(starts(""))
