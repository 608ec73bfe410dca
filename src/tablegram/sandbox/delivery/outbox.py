"""Callbacks that a line has not yet answered with 200: the SQL of the courier."""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.sandbox.store import Store


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One change to tell a line: a status of a message, or a message a customer wrote.

    `silent` turns the tick on the phone but tells nobody; `batched` waits to share a body with others.
    """

    number_id: str
    order_key: str
    kind: str
    message_id: str
    status: str | None
    value: dict[str, Any]
    due_ms: int
    batched: bool = False
    silent: bool = False


class Pending(msgspec.Struct, frozen=True):
    seq: int
    number_id: str
    order_key: str
    kind: str
    message_id: str
    status: str | None
    value: msgspec.Raw
    due_ms: int
    created_ms: int
    attempts: int
    batched: bool
    silent: bool


class Outbox:
    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, callbacks: list[Planned], now_ms: int) -> None:
        for item in callbacks:
            self._store.execute(
                "INSERT INTO callbacks (number_id, order_key, kind, message_id, status, value, due_ms, created_ms,"
                " batched, silent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    item.number_id,
                    item.order_key,
                    item.kind,
                    item.message_id,
                    item.status,
                    msgspec.json.encode(item.value).decode(),
                    item.due_ms,
                    now_ms,
                    item.batched,
                    item.silent,
                ),
            )

    def due(self, number_id: str, now_ms: int, limit: int) -> list[Pending]:
        rows = self._store.execute(
            "SELECT seq, number_id, order_key, kind, message_id, status, value, due_ms, created_ms, attempts, batched,"
            " silent FROM callbacks WHERE number_id = ? AND due_ms <= ? ORDER BY due_ms, seq LIMIT ?",
            (number_id, now_ms, limit),
        ).fetchall()
        return [
            Pending(
                **(dict(zip(Pending.__struct_fields__, row, strict=True)) | {"value": msgspec.Raw(row[6].encode())})
            )
            for row in rows
        ]

    def next_due_ms(self, number_id: str, after_ms: int) -> int | None:
        row = self._store.execute(
            "SELECT min(due_ms) FROM callbacks WHERE number_id = ? AND due_ms > ?", (number_id, after_ms)
        ).fetchone()
        return row[0] if row else None

    def numbers_waiting(self) -> list[str]:
        return [row[0] for row in self._store.execute("SELECT DISTINCT number_id FROM callbacks")]

    def pending(self) -> int:
        return int(self._store.execute("SELECT count(*) FROM callbacks").fetchone()[0])

    def remove(self, seqs: list[int]) -> None:
        for seq in seqs:
            self._store.execute("DELETE FROM callbacks WHERE seq = ?", (seq,))

    def postpone(self, seqs: list[int], due_ms: int, reason: str) -> None:
        for seq in seqs:
            self._store.execute(
                "UPDATE callbacks SET attempts = attempts + 1, due_ms = ?, last_error = ? WHERE seq = ?",
                (due_ms, reason, seq),
            )

    def hurry(self, number_id: str, now_ms: int) -> None:
        """Try at once what waits only because it failed: its line has just come back."""
        self._store.execute(
            "UPDATE callbacks SET due_ms = ? WHERE number_id = ? AND attempts > 0 AND due_ms > ?",
            (now_ms, number_id, now_ms),
        )
