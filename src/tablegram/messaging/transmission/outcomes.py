"""What an attempt means for the message: one statement to commit, and the words for the caller."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal, Self

from tablegram.engine.retries import Retries
from tablegram.messaging.ports import Accepted, Delayed, LineState, NetworkRefused, Outcome, Unknown
from tablegram.messaging.rows.messages import Waiting
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.storage.database import Statement
from tablegram.values.clock import Clock

# A message that fails by itself is tried again ever more slowly.
_RETRIES = Retries((2.0, 5.0, 15.0, 60.0, 300.0, 900.0))
# So long at the most, whatever a network asks for. What is due later than that was put there by a clock that was wrong.
MAX_WAIT_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A message that this process has claimed and is about to hand over."""

    account_id: int
    key: str
    phone: str
    attempts: int
    expires_at: int
    # The request that began it.
    trace: str | None = None

    @classmethod
    def of(cls, row: Waiting) -> Self:
        return cls(row["account_id"], row["id"], row["phone"], row["attempts"], row["expires_at"] or 0, row["trace"])


@dataclass(frozen=True, slots=True)
class Conclusion:
    """`statement` makes it so in the store; nothing else has to be written, but for a refund when it failed."""

    state: Literal["sent", "failed", "queued"]
    statement: Statement
    network_id: str = ""
    code: str = ""
    detail: str = ""
    network_code: int | None = None
    # Set when the attempt told something about the line itself.
    line_state: LineState | None = None

    def unnamed(self) -> Conclusion:
        """The same, without the name that the network gave to the message."""
        query, params = self.statement
        return replace(self, statement=(query, {**params, "new_network_id": None}), network_id="")


class Outcomes:
    """Turns outcomes into conclusions, and lets the line feel them: its hold, its waiting recipients."""

    def __init__(self, clock: Clock, unknown_wait_s: float, owner_id: str) -> None:
        self._clock = clock
        self._owner_id = owner_id
        self._unknown_wait_ms = int(unknown_wait_s * 1_000)
        self.counts = {"accepted": 0, "refused": 0, "delayed": 0, "unknown": 0}

    def conclude(self, line: LiveLine, attempt: Attempt, outcome: Outcome) -> Conclusion:
        match outcome:
            case Accepted(network_id):
                return self._accepted(line, attempt, network_id)
            case NetworkRefused(code, detail, network_code):
                self.counts["refused"] += 1
                line.waiting.pop(attempt.phone, None)
                return self.failed(attempt, code, detail, network_code)
            case Delayed():
                self.counts["delayed"] += 1
                return self._delayed(line, attempt, outcome)
            case Unknown(detail):
                self.counts["unknown"] += 1
                return self._unknown(line, attempt, detail)

    def _accepted(self, line: LiveLine, attempt: Attempt, network_id: str) -> Conclusion:
        self.counts["accepted"] += 1
        if line.strikes:
            line.release()
        if line.waiting:
            line.waiting.pop(attempt.phone, None)
        params = {
            "b_account": attempt.account_id,
            "b_id": attempt.key,
            "new_network_id": network_id,
            "now": self._clock.now_ms(),
        }
        return Conclusion("sent", (store.ACCEPTED, params), network_id, line_state="connected")

    def failed(
        self, attempt: Attempt, code: str, detail: str, network_code: int | None = None, tried: int = 1
    ) -> Conclusion:
        params = {
            "b_account": attempt.account_id,
            "b_id": attempt.key,
            "b_owner": self._owner_id,
            "now": self._clock.now_ms(),
            "code": code,
            "detail": detail,
            "network_code": network_code,
            "tried": tried,
        }
        return Conclusion("failed", (store.FAILED, params), code=code, detail=detail, network_code=network_code)

    def _delayed(self, line: LiveLine, attempt: Attempt, outcome: Delayed) -> Conclusion:
        now = self._clock.now_ms()
        tries = attempt.attempts + 1
        wait_s = outcome.retry_after_s
        query = store.DELAYED
        if outcome.holds == "line":
            line.hold(outcome.retry_after_s, time.monotonic())
            line.backlog = True
            query, wait_s = store.DELAYED_BY_LINE, 0.0
        elif outcome.holds == "message":
            wait_s = max(wait_s, _RETRIES.wait_s(tries))
        next_at = now + int(min(wait_s, MAX_WAIT_S) * 1_000)
        if outcome.max_tries is not None and tries >= outcome.max_tries:
            line.waiting.pop(attempt.phone, None)
            return self.failed(attempt, outcome.code, outcome.detail, outcome.network_code)
        if next_at >= attempt.expires_at:
            next_at = max(now, attempt.expires_at)
        line.waiting[attempt.phone] = (attempt.key, next_at)
        params = {
            "b_account": attempt.account_id,
            "b_id": attempt.key,
            "b_owner": self._owner_id,
            "next_at": next_at,
            "code": outcome.code,
            "detail": outcome.detail,
            "network_code": outcome.network_code,
            "tried": 1,
        }
        return Conclusion(
            "queued", (query, params), code=outcome.code, detail=outcome.detail, line_state=outcome.line_state
        )

    def _unknown(self, line: LiveLine, attempt: Attempt, detail: str) -> Conclusion:
        line.waiting.pop(attempt.phone, None)
        now = self._clock.now_ms()
        params = {
            "b_account": attempt.account_id,
            "b_id": attempt.key,
            "b_owner": self._owner_id,
            "now": now,
            "next_at": now + self._unknown_wait_ms,
            "detail": detail,
        }
        return Conclusion("queued", (store.IN_DOUBT, params), code="outcome_unknown", detail=detail)
