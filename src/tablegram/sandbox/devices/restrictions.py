"""Numbers that the network has restricted for a while, as real ones do with who writes to too many strangers."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.sandbox.store import Store
from tablegram.values.clock import Clock

# `banned`: nothing goes out or comes in. `reachout_limited`: only to people who have written before.
Reason = Literal["banned", "reachout_limited"]

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS restrictions (phone TEXT PRIMARY KEY, reason TEXT NOT NULL, until_ms INTEGER NOT NULL)"
)


class Restriction(msgspec.Struct, frozen=True):
    reason: Reason
    until_ms: int


class Restrictions:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        store.execute(_SCHEMA)

    def of(self, phone: str) -> Restriction | None:
        row = self._store.execute("SELECT reason, until_ms FROM restrictions WHERE phone = ?", (phone,)).fetchone()
        return Restriction(*row) if row and row[1] > self._clock.now_ms() else None

    def set(self, phone: str, restriction: Restriction) -> None:
        self._store.execute(
            "INSERT INTO restrictions VALUES (?, ?, ?)"
            " ON CONFLICT (phone) DO UPDATE SET reason = excluded.reason, until_ms = excluded.until_ms",
            (phone, restriction.reason, restriction.until_ms),
        )

    def lift(self, phone: str) -> None:
        self._store.execute("DELETE FROM restrictions WHERE phone = ?", (phone,))
