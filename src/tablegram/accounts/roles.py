"""What each role of a team may do, in the same words as an API key's scopes."""

from __future__ import annotations

from tablegram.accounts.scopes import ALL, covers
from tablegram.accounts.scopes import SCOPES as EVERY
from tablegram.errors import ScopeMissing

SCOPES: dict[str, frozenset[str]] = {
    "owner": frozenset({ALL}),
    "manager": EVERY - {"keys:manage", "account:manage"},
    "developer": frozenset(
        {
            "messages:send",
            "messages:read",
            "instances:manage",
            "webhooks:manage",
            "keys:manage",
            "events:read",
            "contacts:read",
            "stores:manage",
        }
    ),
    "staff": frozenset(
        {
            "messages:send",
            "messages:read",
            "contacts:read",
            "contacts:manage",
            "restaurant:read",
            "orders:manage",
            "payments:manage",
            "loyalty:read",
            "events:read",
        }
    ),
    "kitchen": frozenset({"restaurant:read", "orders:manage"}),
}


def check_may_give(held: frozenset[str], role: str) -> None:
    """Nobody hands out, or takes away, a role that may do more than they themselves."""
    if not covers(held, SCOPES[role]):
        raise ScopeMissing(
            f"Only somebody who may do everything that {role} may do can give or take that role.",
            code="role_beyond_caller",
        )
