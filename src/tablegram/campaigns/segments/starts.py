"""Groups that most owners look for first, by the name of each."""

from __future__ import annotations

from tablegram.values import Json


def starts(currency: str) -> dict[str, Json]:
    """The rules of each; `currency` is the one that amounts are usually in."""
    return {
        "regulars": _all({"rule": "orders", "at_least": 4, "within_days": 90}),
        "lost": _all({"rule": "last_order", "not_within_days": 30}, {"rule": "orders", "at_least": 3}),
        "birthdays": _all({"rule": "birthday", "month": "this"}),
        "spenders": _all({"rule": "spent", "at_least": 1000, "currency": currency, "within_days": 180}),
        "new": _all({"rule": "customer_class", "is": "new"}),
        "never": _all({"rule": "last_order", "never": True}),
    }


def _all(*rules: Json) -> Json:
    return {"all": list(rules)}


STARTS = tuple(starts(""))
