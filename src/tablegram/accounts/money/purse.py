"""Who pays for many messages in one transaction looks once at what there is, and writes down once what it came to."""

from __future__ import annotations

from typing import Any

from tablegram.accounts import store
from tablegram.accounts.money.quota import has_free_message
from tablegram.accounts.rows import MeansRow
from tablegram.storage.database import Tx


class Purse:
    """What an account can pay with, locked by the transaction that opened it. `close` writes what was paid."""

    def __init__(self, account_id: int, means: MeansRow | None, now_ms: int, *, prepaid: bool) -> None:
        self._account_id = account_id
        self._now_ms = now_ms
        self._prepaid = prepaid
        self._balance = 0 if means is None else means["balance_micros"]
        is_free = prepaid and means is not None and has_free_message(means, now_ms)
        self._free = means["free_messages"] - means["quota_used"] if is_free and means is not None else 0
        self._rows: list[dict[str, Any]] = []
        self._used, self._spent = 0, 0

    @classmethod
    async def open(cls, tx: Tx, account_id: int, now_ms: int, *, prepaid: bool) -> Purse:
        means = await tx.first(store.LOCK_MEANS, {"id": account_id}) if prepaid else None
        return cls(account_id, means, now_ms, prepaid=prepaid)

    def pay(self, message_key: str, cost_micros: int) -> int | None:
        """What a new message costs; nothing where nothing is left to pay with. As `quota.charge`, for a key that is new."""
        if not self._prepaid:
            return cost_micros
        is_free = self._free > 0
        if not is_free and self._balance < cost_micros:
            return None
        cost = 0 if is_free else cost_micros
        self._note(message_key, "charge", -cost)
        if is_free:
            self._note(message_key, "quota", 0)
            self._free, self._used = self._free - 1, self._used + 1
        self._balance, self._spent = self._balance - cost, self._spent + cost
        return cost

    def _note(self, message_key: str, kind: str, amount_micros: int) -> None:
        self._rows.append({
            "account_id": self._account_id, "message_key": message_key, "kind": kind, "amount_micros": amount_micros,
            "created_at": self._now_ms,
        })  # fmt: skip

    async def close(self, tx: Tx) -> None:
        if self._rows:
            await tx.many(store.CLAIM_CHARGE, self._rows)
        if self._used:
            taken = {"which": self._account_id, "now_ms": self._now_ms, "count": self._used}
            await tx.run(store.TAKE_FREE_MESSAGES, taken)
        if self._spent:
            await tx.run(store.CHANGE_BALANCE, {"which": self._account_id, "amount_micros": -self._spent})
        self._rows, self._used, self._spent = [], 0, 0
