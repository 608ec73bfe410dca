"""What each outcome does to the message and to the line."""

from __future__ import annotations

import time
from typing import Any, Literal

import pytest

from tablegram.messaging.ports import Accepted, Delayed, NetworkRefused, Outcome, Unknown
from tablegram.messaging.store import messages as store
from tablegram.messaging.switchboard import LiveLine
from tablegram.messaging.transmission.outcomes import Attempt, Outcomes
from tests.accounts.opened import MovableClock
from tests.messaging.gateway import PHONE
from tests.messaging.scripted import ScriptedLine

DAY_MS = 86_400_000


class Bench:
    def __init__(self) -> None:
        self.clock = MovableClock()
        self.outcomes = Outcomes(self.clock, 300.0, "me")
        self.line = LiveLine(None, ScriptedLine(), None, None)  # type: ignore[arg-type]

    def conclude(self, outcome: Outcome, attempts: int = 0, expires_in_ms: int = DAY_MS) -> Any:
        attempt = Attempt(1, "m1", PHONE, attempts, self.clock.now_ms() + expires_in_ms)
        return self.outcomes.conclude(self.line, attempt, outcome)

    def is_held(self) -> bool:
        return self.line.held_until > time.monotonic()


def delayed(holds: Literal["message", "recipient", "line"], **more: Any) -> Delayed:
    return Delayed("slow_down", "Too fast.", 7.0, holds, **more)


def test_accepted_is_sent_and_the_line_is_well() -> None:
    bench = Bench()
    bench.line.hold(60, time.monotonic())
    bench.line.waiting[PHONE] = ("m1", 1)
    conclusion = bench.conclude(Accepted("wamid.1"))
    assert (conclusion.state, conclusion.network_id, conclusion.line_state) == ("sent", "wamid.1", "connected")
    assert conclusion.statement[0] is store.ACCEPTED
    assert not bench.is_held()
    assert bench.line.waiting == {}


def test_refused_is_failed_for_good_and_says_nothing_of_the_line() -> None:
    bench = Bench()
    bench.line.waiting[PHONE] = ("m1", 1)
    conclusion = bench.conclude(NetworkRefused("not_on_network", "No such user.", 131026))
    assert (conclusion.state, conclusion.code, conclusion.network_code) == ("failed", "not_on_network", 131026)
    assert conclusion.line_state is None
    assert not bench.is_held()
    # Who waited behind it need not wait any longer.
    assert bench.line.waiting == {}


def test_a_delayed_message_waits_alone_and_ever_longer() -> None:
    bench = Bench()
    waits = []
    for attempts in range(8):
        conclusion = bench.conclude(delayed("message"), attempts)
        assert conclusion.state == "queued"
        waits.append(conclusion.statement[1]["next_at"] - bench.clock.now_ms())
    assert waits == sorted(waits)
    assert waits[0] >= 7_000
    assert waits[-1] > waits[0]
    assert not bench.is_held()


def test_a_delayed_recipient_waits_as_told_and_the_line_goes_on() -> None:
    bench = Bench()
    conclusion = bench.conclude(delayed("recipient"))
    assert conclusion.statement[1]["next_at"] == bench.clock.now_ms() + 7_000
    assert bench.line.waiting[PHONE] == ("m1", bench.clock.now_ms() + 7_000)
    assert not bench.is_held()
    now = time.monotonic()
    assert not bench.line.may_send_now(PHONE, now)
    assert bench.line.may_send_now("905550000000", now)


def test_a_delayed_line_holds_everybody() -> None:
    bench = Bench()
    conclusion = bench.conclude(delayed("line", line_state="degraded"))
    assert (conclusion.state, conclusion.line_state, conclusion.detail) == ("queued", "degraded", "Too fast.")
    assert bench.is_held()
    assert not bench.line.may_send_now("905550000000", time.monotonic())


def test_what_was_tried_often_enough_fails_with_its_last_reason() -> None:
    bench = Bench()
    limited = delayed("message", max_tries=3, network_code=131053)
    assert [bench.conclude(limited, attempts).state for attempts in range(3)] == ["queued", "queued", "failed"]
    last = bench.conclude(limited, 2)
    assert (last.code, last.network_code) == ("slow_down", 131053)
    assert bench.line.waiting == {}


def test_no_try_is_planned_for_after_the_message_has_expired() -> None:
    bench = Bench()
    conclusion = bench.conclude(delayed("recipient"), expires_in_ms=1_000)
    assert conclusion.statement[1]["next_at"] == bench.clock.now_ms() + 1_000


def test_an_unknown_outcome_waits_for_the_networks_word() -> None:
    bench = Bench()
    conclusion = bench.conclude(Unknown("The answer was lost."))
    assert (conclusion.state, conclusion.code) == ("queued", "outcome_unknown")
    assert conclusion.statement[0] is store.IN_DOUBT
    assert conclusion.statement[1]["next_at"] == bench.clock.now_ms() + 300_000
    assert not bench.is_held()


@pytest.mark.parametrize(
    ("outcome", "name"),
    [
        (Accepted("w"), "accepted"),
        (NetworkRefused("c", "d"), "refused"),
        (delayed("line"), "delayed"),
        (Unknown("d"), "unknown"),
    ],
)
def test_every_outcome_is_counted(outcome: Outcome, name: str) -> None:
    bench = Bench()
    bench.conclude(outcome)
    assert bench.outcomes.counts == {"accepted": 0, "refused": 0, "delayed": 0, "unknown": 0} | {name: 1}
