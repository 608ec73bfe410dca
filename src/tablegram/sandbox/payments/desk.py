"""Payments, what each can become, and the signals that tell of it: one transaction for both.

A payment is open, and then `paid`, `expired` or `cancelled` for good; a card that is refused ends nothing. Only what was
paid can be paid back.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Any, Literal

import msgspec

from tablegram.errors import Misconfigured
from tablegram.sandbox.store import Store
from tablegram.values.clock import DAY_MS, SECOND_MS, Clock
from tablegram.values.ids import new_id
from tablegram.values.money import to_wire

# What a person at the pay page can play.
Outcome = Literal["pay", "late", "twice", "other", "refuse", "expire"]
LATE_MS = 20 * SECOND_MS
# So long a payment that ended can still be looked at and paid back.
KEPT_MS = 90 * DAY_MS
# What `other` pays beside what was asked for, in minor units.
MORE = 100


class Line(msgspec.Struct, frozen=True):
    name: str
    amount: int


class SandboxPayment(msgspec.Struct, frozen=True, kw_only=True):
    """Amounts are minor units. `reference` is the only key of the pay page, and cannot be guessed."""

    reference: str
    link_id: str
    amount: int
    currency: str
    description: str
    items: tuple[Line, ...]
    language: str
    success_url: str
    cancel_url: str
    hook_url: str
    expires_ms: int
    state: str = "open"
    paid: int = 0
    refunded: int = 0


class Due(msgspec.Struct, frozen=True):
    """A signal that waits for its 200."""

    seq: int
    reference: str
    signal_id: str
    body: str
    attempts: int


class TooMuch(Exception):
    """More is to be paid back than was paid."""


_STATIC = (
    "reference", "link_id", "amount", "currency", "description", "items", "language", "success_url", "cancel_url",
    "hook_url",
)  # fmt: skip
_SELECT = "SELECT record, expires_ms, state, paid, refunded FROM payments"


class Desk:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.late_ms = LATE_MS

    # The merchant's side.

    def make(self, secret: str, wish: SandboxPayment) -> SandboxPayment:
        """The link of this merchant under its own id; the one that is there already, if it is."""
        owner, now_ms = _owner(secret), self._clock.now_ms()
        record = msgspec.json.encode({name: getattr(wish, name) for name in _STATIC}).decode()
        sealed = self._store.seal(secret)
        self._store.execute(
            "INSERT INTO payments (reference, owner, link_id, secret, record, expires_ms, created_ms)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (owner, link_id) DO NOTHING",
            (wish.reference, owner, wish.link_id, sealed, record, wish.expires_ms, now_ms),
        )
        self._forget(now_ms - KEPT_MS)
        row = self._store.execute(_SELECT + " WHERE owner = ? AND link_id = ?", (owner, wish.link_id)).fetchone()
        return _payment(row)

    def of(self, secret: str, reference: str) -> SandboxPayment | None:
        """A payment of this merchant, and of no other."""
        self.expire_due()
        sql = _SELECT + " WHERE owner = ? AND reference = ?"
        row = self._store.execute(sql, (_owner(secret), reference)).fetchone()
        return _payment(row) if row else None

    def cancel(self, payment: SandboxPayment) -> SandboxPayment:
        self._end(payment, "cancelled")
        return self._must_have(payment.reference)

    def refund(self, payment: SandboxPayment, refund_id: str, amount: int) -> SandboxPayment:
        """Once for each id. Raises `TooMuch`."""
        with self._store.transaction():
            now = self._must_have(payment.reference)
            known = self._store.execute(
                "SELECT 1 FROM payment_refunds WHERE reference = ? AND refund_id = ?", (now.reference, refund_id)
            ).fetchone()
            if known:
                return now
            if now.state != "paid" or now.refunded + amount > now.paid:
                raise TooMuch
            self._store.execute(
                "INSERT INTO payment_refunds VALUES (?, ?, ?, ?)",
                (now.reference, refund_id, amount, self._clock.now_ms()),
            )
            self._store.execute(
                "UPDATE payments SET refunded = refunded + ? WHERE reference = ?", (amount, now.reference)
            )
            told = self._must_have(now.reference)
            self._tell(told, "payment.refunded", refunded=told.refunded)
            return told

    # The payer's side.

    def find(self, reference: str) -> SandboxPayment | None:
        self.expire_due()
        row = self._store.execute(_SELECT + " WHERE reference = ?", (reference,)).fetchone()
        return _payment(row) if row else None

    def play(self, payment: SandboxPayment, outcome: Outcome) -> SandboxPayment:
        """What the payer did. Whoever comes second changes nothing, and sees how it stands."""
        if outcome == "refuse":
            self._refuse(payment)
        elif outcome == "expire":
            self._end(payment, "expired", "payment.expired")
        else:
            paid = payment.amount + (MORE if outcome == "other" else 0)
            later = self.late_ms if outcome == "late" else 0
            self._end(
                payment, "paid", "payment.succeeded", paid=paid, later_ms=later, times=2 if outcome == "twice" else 1
            )
        return self._must_have(payment.reference)

    def expire_due(self) -> None:
        """End what nobody paid in time."""
        now_ms = self._clock.now_ms()
        rows = self._store.execute(_SELECT + " WHERE state = 'open' AND expires_ms <= ?", (now_ms,)).fetchall()
        for row in rows:
            self._end(_payment(row), "expired", "payment.expired")

    def next_expiry_ms(self) -> int | None:
        row = self._store.execute("SELECT min(expires_ms) FROM payments WHERE state = 'open'").fetchone()
        return row[0] if row else None

    # Signals.

    def claim(self, hold_ms: int) -> list[Due]:
        """The signals that are due, for who posts them now: nobody else takes them for so long."""
        now_ms = self._clock.now_ms()
        rows = self._store.execute(
            "UPDATE payment_signals SET due_ms = ?, attempts = attempts + 1 WHERE seq IN (SELECT seq FROM payment_signals"
            " WHERE ended_ms IS NULL AND due_ms <= ? ORDER BY due_ms, seq LIMIT 50)"
            " RETURNING seq, reference, signal_id, body, attempts",
            (now_ms + hold_ms, now_ms),
        ).fetchall()
        return sorted((Due(*row) for row in rows), key=lambda due: due.seq)

    def next_due_ms(self) -> int | None:
        row = self._store.execute("SELECT min(due_ms) FROM payment_signals WHERE ended_ms IS NULL").fetchone()
        return row[0] if row else None

    def signed(self, due: Due, now_s: int) -> tuple[str, dict[str, str]] | None:
        """Where a signal goes, and its header fields; nothing when its merchant's secret cannot be opened any more."""
        row = self._store.execute(
            "SELECT secret, record FROM payments WHERE reference = ?", (due.reference,)
        ).fetchone()
        try:
            secret = self._store.unseal(row[0])
        except (Misconfigured, TypeError):
            return None
        key = base64.b64decode(secret.removeprefix("whsec_"))
        content = f"{due.signal_id}.{now_s}.{due.body}".encode()
        signature = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
        hook: str = msgspec.json.decode(row[1])["hook_url"]
        return hook, {
            "Content-Type": "application/json",
            "webhook-id": due.signal_id,
            "webhook-timestamp": str(now_s),
            "webhook-signature": f"v1,{signature}",
        }

    def end_signal(self, due: Due, error: str = "") -> None:
        self._store.execute(
            "UPDATE payment_signals SET ended_ms = ?, last_error = ? WHERE seq = ?",
            (self._clock.now_ms(), error[:300], due.seq),
        )

    def postpone(self, due: Due, by_ms: int, error: str) -> None:
        self._store.execute(
            "UPDATE payment_signals SET due_ms = ?, last_error = ? WHERE seq = ?",
            (self._clock.now_ms() + by_ms, error[:300], due.seq),
        )

    def _forget(self, before_ms: int) -> None:
        for sql in (
            "DELETE FROM payment_signals WHERE ended_ms < ?",
            "DELETE FROM payment_refunds WHERE at_ms < ?",
            "DELETE FROM payments WHERE created_ms < ? AND state != 'open'",
        ):
            self._store.execute(sql, (before_ms,))

    def _refuse(self, payment: SandboxPayment) -> None:
        with self._store.transaction():
            if (now := self._must_have(payment.reference)).state == "open":
                self._tell(now, "payment.failed")

    def _end(
        self, payment: SandboxPayment, state: str, kind: str = "", *, paid: int = 0, later_ms: int = 0, times: int = 1
    ) -> None:
        with self._store.transaction():
            turned = self._store.execute(
                "UPDATE payments SET state = ?, paid = ? WHERE reference = ? AND state = 'open'",
                (state, paid, payment.reference),
            ).rowcount
            if turned and kind:
                self._tell(self._must_have(payment.reference), kind, later_ms=later_ms, times=times)

    def _tell(self, payment: SandboxPayment, kind: str, *, later_ms: int = 0, times: int = 1, **more: int) -> None:
        now_ms = self._clock.now_ms()
        data: dict[str, Any] = {
            "link_id": payment.link_id,
            "reference": payment.reference,
            "mode": "test",
            "amount": to_wire(payment.paid or payment.amount, payment.currency),
            "currency": payment.currency,
            **{name: to_wire(value, payment.currency) for name, value in more.items()},
        }
        body = msgspec.json.encode({"type": kind, "data": data}).decode()
        # The same signal twice bears the same id, as it does when a provider missed our answer.
        signal_id = f"sig_{new_id()}"
        for _ in range(times):
            self._store.execute(
                "INSERT INTO payment_signals (reference, signal_id, body, due_ms, created_ms) VALUES (?, ?, ?, ?, ?)",
                (payment.reference, signal_id, body, now_ms + later_ms, now_ms),
            )

    def _must_have(self, reference: str) -> SandboxPayment:
        return _payment(self._store.execute(_SELECT + " WHERE reference = ?", (reference,)).fetchone())


def new_reference() -> str:
    return "sbx_" + secrets.token_hex(16)


def _owner(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _payment(row: tuple[Any, ...]) -> SandboxPayment:
    record, expires_ms, state, paid, refunded = row
    fixed = msgspec.json.decode(record)
    lines = tuple(Line(**one) for one in fixed.pop("items"))
    return SandboxPayment(**fixed, items=lines, expires_ms=expires_ms, state=state, paid=paid, refunded=refunded)
