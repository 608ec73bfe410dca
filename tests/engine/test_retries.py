"""How long somebody waits before they try again, and when it is enough."""

from __future__ import annotations

import random

from tablegram.engine.retries import Retries
from tablegram.values.clock import CLOCKS_MS

STEPS = Retries((1.0, 5.0, 30.0), max_asked_s=60.0)


def test_waits_grow_and_stay_at_the_last() -> None:
    assert [STEPS.wait_s(attempts) for attempts in (0, 1, 2, 3, 4, 99)] == [1.0, 1.0, 5.0, 30.0, 30.0, 30.0]
    assert STEPS.next_ms(2, 1_000) == 6_000


def test_who_is_asked_may_ask_for_patience_within_bounds() -> None:
    assert STEPS.wait_s(1, asked_s=0.5) == 1.0
    assert STEPS.wait_s(1, asked_s=20.0) == 20.0
    assert STEPS.wait_s(1, asked_s=3_600.0) == 60.0
    assert STEPS.next_ms(1, 1_000, asked_s=20.0) == 21_000


def test_many_do_not_come_back_at_once_and_none_later_than_was_said() -> None:
    some = Retries((10.0,), jitter=0.2)
    waits = {some.wait_s(1, chance=random.Random(number)) for number in range(50)}
    assert len(waits) > 40
    assert min(waits) < 9.0 < 11.0 < max(waits)
    assert all(8.0 <= wait <= 12.0 for wait in waits)
    assert some.latest_ms() == 12_000 + CLOCKS_MS
    assert STEPS.latest_ms() == 30_000 + CLOCKS_MS


def test_a_thing_is_given_up_after_its_attempts_or_its_time() -> None:
    assert not STEPS.is_over(10**6, 0, 10**15), "without a bound it is tried for ever"
    by_attempts = Retries((1.0,), max_attempts=3)
    assert [by_attempts.is_over(attempts, 0, 10**15) for attempts in (1, 2, 3, 4)] == [False, False, True, True]
    by_age = Retries((1.0,), max_age_ms=500)
    assert [by_age.is_over(10**6, 1_000, now) for now in (1_000, 1_499, 1_500)] == [False, False, True]
