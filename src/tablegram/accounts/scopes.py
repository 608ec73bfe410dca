"""What a key may be allowed to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from tablegram.errors import Invalid

ALL = "*"
# The installation's own work: every account, plan and balance. It is no scope of an account: `*` does not hold it, no
# role has it, and no key can be asked for it; only a key made at the machine itself does.
OPERATE = "installation:operate"

Scope = Literal[
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
    "stores:manage",
    "campaigns:read",
    "campaigns:manage",
    "loyalty:read",
    "loyalty:manage",
    "keys:manage",
    "events:read",
    "account:manage",
]
# What a key can be given: any of them, or all.
Grantable = Literal["*", Scope]

SCOPES: frozenset[str] = frozenset(get_args(Scope))


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
    return OPERATE not in wanted and (ALL in held or wanted <= held)
