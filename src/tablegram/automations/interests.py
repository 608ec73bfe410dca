"""Which accounts want to hear what guests write: looked up now and then, not for every message."""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

from tablegram.automations.store import automations as store
from tablegram.storage.database import Database
from tablegram.values.clock import FRESH_S


class Interest(msgspec.Struct, frozen=True):
    # Somebody was asked how it was; there is no way back from it.
    asks: bool = False
    # An automation that begins with a first message is on.
    welcomes: bool = False


_NONE = Interest()


class Interests:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._known: dict[int, Interest] = {}
        self._looked_at: dict[int, float] = {}
        # Counts what was forgotten, so that a look which began before is not taken for newer.
        self._forgotten = 0

    def of(self, account_id: int) -> Interest:
        """As last looked up."""
        return self._known.get(account_id, _NONE)

    async def refresh(self, accounts: Iterable[int]) -> None:
        """Look up what is old. Call before the transaction that asks."""
        for account_id in accounts:
            if time.monotonic() - self._looked_at.get(account_id, -FRESH_S) >= FRESH_S:
                await self._look(account_id)

    async def _look(self, account_id: int) -> None:
        forgotten, now = self._forgotten, time.monotonic()
        row = await self._db.first(store.INTEREST, {"b_account": account_id})
        assert row is not None
        self._known[account_id] = Interest(asks=bool(row["asks"]), welcomes=bool(row["welcomes"]))
        if forgotten == self._forgotten:
            self._looked_at[account_id] = now

    def forget(self, account_id: int) -> None:
        """Something of this account has changed."""
        self._looked_at.pop(account_id, None)
        self._forgotten += 1
