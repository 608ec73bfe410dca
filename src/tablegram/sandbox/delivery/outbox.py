"""Callbacks, those that wait for a line's 200 and those that came to their end: the SQL of the courier.

What ended is kept with its attempts, so that a person can look at it and post it again; the oldest go.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.sandbox.delivery.callbacks import News, Value
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
    value: Value | News
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


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One try to tell a line, and what it answered; or why it was not told."""

    at_ms: int
    took_ms: int = 0
    http_status: int | None = None
    answer: str = ""
    error: str = ""


class Told(msgspec.Struct, frozen=True):
    """A callback as it stands: waiting, or at its end, with every attempt."""

    seq: int
    number_id: str
    kind: str
    message_id: str
    status: str | None
    value: Value | News
    due_ms: int
    created_ms: int
    ended_ms: int | None
    failures: int
    attempts: list[Attempt]


# So many callbacks that ended are kept: those of a few thousand messages.
KEPT = 20_000
_KEPT_ATTEMPTS = 20
_TOLD = (
    "SELECT seq, number_id, kind, message_id, status, value, due_ms, created_ms, ended_ms, attempts, log FROM callbacks"
)


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
            " silent FROM callbacks WHERE number_id = ? AND due_ms <= ? AND ended_ms IS NULL ORDER BY due_ms, seq LIMIT ?",
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
            "SELECT min(due_ms) FROM callbacks WHERE number_id = ? AND due_ms > ? AND ended_ms IS NULL",
            (number_id, after_ms),
        ).fetchone()
        return row[0] if row else None

    def numbers_waiting(self) -> list[str]:
        return [
            row[0] for row in self._store.execute("SELECT DISTINCT number_id FROM callbacks WHERE ended_ms IS NULL")
        ]

    def pending(self) -> int:
        return int(self._store.execute("SELECT count(*) FROM callbacks WHERE ended_ms IS NULL").fetchone()[0])

    def end(self, seqs: list[int], attempt: Attempt) -> None:
        """Answered with 200, or given up: it does not wait any more."""
        line = _line(attempt)
        for seq in seqs:
            self._store.execute(
                "UPDATE callbacks SET ended_ms = ?, log = log || ? WHERE seq = ?", (attempt.at_ms, line, seq)
            )
            # Only now and then, and a few at a time: nobody waits for it.
            if seq % 500 == 0:
                self._store.execute("DELETE FROM callbacks WHERE seq <= ? AND ended_ms IS NOT NULL", (seq - KEPT,))

    def postpone(self, seqs: list[int], due_ms: int, attempt: Attempt) -> None:
        line = _line(attempt)
        for seq in seqs:
            log = self._store.execute("SELECT log FROM callbacks WHERE seq = ?", (seq,)).fetchone()
            lines = [*(log[0] if log else "").splitlines(keepends=True), line]
            # A line that is away for days is tried thousands of times: the first ones and the last ones tell all.
            kept = lines if len(lines) <= _KEPT_ATTEMPTS else [*lines[:3], *lines[3 - _KEPT_ATTEMPTS :]]
            self._store.execute(
                "UPDATE callbacks SET attempts = attempts + 1, due_ms = ?, last_error = ?, log = ? WHERE seq = ?",
                (due_ms, attempt.error, "".join(kept), seq),
            )

    def hurry(self, number_id: str, now_ms: int) -> None:
        """Try at once what waits only because it failed: its line has just come back."""
        self._store.execute(
            "UPDATE callbacks SET due_ms = ? WHERE number_id = ? AND attempts > 0 AND due_ms > ? AND ended_ms IS NULL",
            (now_ms, number_id, now_ms),
        )

    # To be looked at, and told again.

    def of_message(self, message_id: str) -> list[Told]:
        rows = self._store.execute(_TOLD + " WHERE message_id = ? ORDER BY seq", (message_id,)).fetchall()
        return [_told(row) for row in rows]

    def since(self, number_id: str, since_ms: int, limit: int = 500) -> list[Value]:
        """What people wrote to a line, oldest first, also what nobody was told of."""
        rows = self._store.execute(
            "SELECT value FROM callbacks WHERE number_id = ? AND kind IN ('message', 'echo') AND created_ms >= ?"
            " ORDER BY seq LIMIT ?",
            (number_id, since_ms, limit),
        ).fetchall()
        return [msgspec.json.decode(value) for (value,) in rows]

    def again(self, seq: int, now_ms: int) -> int:
        """Tell a line once more what it was told: a callback of its own, due now; its number."""
        made = self._store.execute(
            "INSERT INTO callbacks (number_id, order_key, kind, message_id, status, value, due_ms, created_ms)"
            " SELECT number_id, order_key, kind, message_id, status, value, ?, ? FROM callbacks WHERE seq = ?",
            (now_ms, now_ms, seq),
        )
        return made.lastrowid or 0

    def forget(self, phone: str, number_id: str | None) -> None:
        """Of a conversation's messages, what was told of them. What still waits goes out first."""
        self._store.execute(
            "DELETE FROM callbacks WHERE ended_ms IS NOT NULL AND message_id IN"
            " (SELECT id FROM messages WHERE phone = ? AND (? IS NULL OR number_id = ?))",
            (phone, number_id, number_id),
        )


def _line(attempt: Attempt) -> str:
    return msgspec.json.encode(attempt).decode() + "\n"


def _told(row: tuple[Any, ...]) -> Told:
    read = {
        "value": msgspec.json.decode(row[5]),
        "attempts": [msgspec.json.decode(line, type=Attempt) for line in row[-1].splitlines()],
    }
    return Told(**(dict(zip(Told.__struct_fields__, row, strict=True)) | read))
