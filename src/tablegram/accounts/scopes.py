"""What a key may be allowed to do."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.errors import Invalid

ALL = "*"

SCOPES = frozenset(
    {
        "messages:send",
        "messages:read",
        "instances:manage",
        "webhooks:manage",
        "contacts:read",
        "contacts:manage",
        "restaurant:read",
        "restaurant:manage",
        "orders:manage",
        "payments:manage",
        "campaigns:manage",
        "keys:manage",
        "events:read",
        "account:manage",
    }
)


def parse_scopes(names: Iterable[str]) -> frozenset[str]:
    """The named scopes; `*` swallows the others. At least one is needed."""
    scopes = frozenset(names)
    unknown = sorted(scopes - SCOPES - {ALL})
    if unknown:
        known = ", ".join(sorted(SCOPES))
        raise Invalid.field(
            "scopes", "scope_unknown", f"There is no scope {', '.join(unknown)}. Choose from: {known}, or *."
        )
    if not scopes:
        raise Invalid.field("scopes", "scopes_empty", "A key needs at least one scope, or * for all of them.")
    return frozenset({ALL}) if ALL in scopes else scopes


def covers(held: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether whoever holds the first scopes may hand out the second."""
    return ALL in held or wanted <= held
