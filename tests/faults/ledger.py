"""One message in a real store, and every statement that can change its state, under short names."""

from __future__ import annotations

import asyncio
from typing import Any

from tablegram.messaging.store import messages as store
from tablegram.messaging.store import recovering, reports
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Tx, open_database
from tablegram.values.ids import new_id

ACCOUNT = 1
OWNER = "process-of-a-test"

# What a state may become. A state that is not named on the right is never entered from there.
FORWARD = {
    "queued": {"sent", "delivered", "read", "failed", "cancelled"},
    "sent": {"delivered", "read", "failed"},
    "delivered": {"read", "failed"},
    "read": set(),
    "failed": {"delivered", "read"},
    "cancelled": {"delivered", "read"},
}

_REASON = {"code": "reason", "detail": "words", "network_code": 1}
EVENTS: dict[str, tuple[Query, dict[str, Any]]] = {
    "accepted": (store.ACCEPTED, {}),
    "refused": (store.FAILED, {**_REASON, "tried": 1}),
    "delayed": (store.DELAYED, {**_REASON, "tried": 1}),
    "delayed_by_line": (store.DELAYED_BY_LINE, {**_REASON, "tried": 1}),
    "in_doubt": (store.IN_DOUBT, {"detail": "words"}),
    "cancel": (store.CANCEL, {}),
    "claim": (store.CLAIM, {"owner": OWNER}),
    "give_back": (store.UNCLAIM, {}),
    "crash": (recovering.RECOVER, {"owner": OWNER}),
    "start": (recovering.DOUBT_ON, {}),
    "reported_sent": (reports.REPORTED_SENT, {}),
    "reported_delivered": (reports.REPORTED_DELIVERED, {}),
    "reported_read": (reports.REPORTED_READ, {}),
    "reported_failed": (reports.REPORTED_FAILED, _REASON),
}
REPORTS = tuple(name for name in EVENTS if name.startswith("reported_"))


class Ledger:
    """A store with an event loop of its own, so that plain code can step through it."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._db: Database = open_database(Settings(database_url=url))
        self._runner.run(self._db.open())

    def close(self) -> None:
        self._runner.run(self._db.close())
        self._runner.close()

    def insert(self, at: int, *, claimed: bool) -> str:
        key = new_id()
        row = {
            "account_id": ACCOUNT,
            "id": key,
            "instance_id": 1,
            "direction": "out",
            "phone": "905551112233",
            "type": "text",
            "text": "hi",
            "content": "{}",
            "state": "queued",
            "priority": 10,
            "due_at": None if claimed else at,
            "expires_at": at + 10**9,
            "claimed_by": OWNER if claimed else None,
            "claimed_at": at if claimed else None,
            "category": "service",
            "sent_by": None,
            "trace": None,
            "cost_micros": 0,
            "created_at": at,
        }

        async def insert() -> None:
            await self._db.put((store.INSERT, row))

        self._runner.run(insert())
        return key

    def happen(self, key: str, event: str, at: int, **changes: Any) -> int:
        """Let something happen to the message. Returns how many rows it changed."""
        query, extra = EVENTS[event]
        params = {
            "b_account": ACCOUNT,
            "b_id": key,
            "b_owner": OWNER,
            "b_claimed_at": self.row(key)["claimed_at"] or at,
            "now": at,
            "at": at,
            "next_at": at + 1_000,
            "unheard_ms": 0,
            "earliest": at + 1_000,
            "latest": at + 1_000,
            "new_network_id": f"wamid.{key}",
            **extra,
            **changes,
        }

        async def unit(tx: Tx) -> int:
            return await tx.run(query, params)

        return self._runner.run(self._db.write(unit))

    def row(self, key: str) -> dict[str, Any]:
        found = self._runner.run(self._db.first(store.GET, {"b_account": ACCOUNT, "b_id": key}))
        assert found is not None
        return dict(found)
