"""Never more than the burst and what the rate has earned since; and what it says about waiting is true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.messaging.transmission import pacing
from tablegram.messaging.transmission.pacing import Pace, RecipientPace

rates = st.floats(0.01, 1_000)
bursts = st.integers(1, 100)
gaps = st.lists(st.floats(0, 100), max_size=60)


@given(rate=rates, burst=bursts, gaps=gaps, start=st.floats(0, 1e6))
def test_never_more_than_the_burst_and_what_the_rate_has_earned(
    rate: float, burst: int, gaps: list[float], start: float
) -> None:
    pace = Pace(rate, burst)
    now = start
    taken: list[float] = []
    for gap in gaps:
        now += gap / rate
        while pace.wait_s(now) == 0 and len(taken) < 150:
            pace.take(now)
            taken.append(now)
    for first, at in enumerate(taken):
        for last in range(first, len(taken)):
            allowed = burst + rate * (taken[last] - at)
            assert last - first + 1 <= allowed + 0.01 + 1e-6 * allowed


@given(rate=rates, burst=bursts, gaps=gaps)
def test_after_the_wait_that_it_tells_one_may_go_and_not_much_before(
    rate: float, burst: int, gaps: list[float]
) -> None:
    pace = Pace(rate, burst)
    now = 0.0
    for gap in gaps:
        now += gap / rate / 10
        wait = pace.wait_s(now)
        assert wait >= 0
        if wait:
            assert pace.wait_s(now + wait * 0.9) > 0 or wait * 0.1 <= 0.002 / rate
            now += wait
            assert pace.wait_s(now) == 0
        pace.take(now)


@given(rate=rates, burst=bursts)
def test_a_rested_pace_lets_exactly_its_burst_go_at_once(rate: float, burst: int) -> None:
    pace = Pace(rate, burst)
    now = 1_000.0
    count = 0
    while pace.wait_s(now) == 0:
        pace.take(now)
        count += 1
    assert count == burst
    assert pace.wait_s(now) == pytest.approx(1 / rate, rel=0.01)


@given(rate=rates, burst=bursts)
def test_what_many_get_leaves_some_and_is_as_fast_in_the_long_run(rate: float, burst: int) -> None:
    pace = Pace(rate, burst)
    now = 1_000.0
    count = 0
    while pace.wait_s(now, sparing=True) == 0:
        pace.take(now)
        count += 1
    left = int(min(burst * pacing.SPARE, burst - 1))
    assert burst - 1 - left <= count <= burst - left
    # Who does not spare goes at once, as often as was left.
    for _ in range(burst - count):
        assert pace.wait_s(now) == 0
        pace.take(now)
    assert pace.wait_s(now) > 0
    pace = Pace(rate, burst)
    for _ in range(burst + 50):
        now += pace.wait_s(now, sparing=True)
        pace.take(now)
    assert now - 1_000.0 <= (51 + left + 1) / rate * 1.01


def test_each_recipient_has_a_pace_of_its_own() -> None:
    pace = RecipientPace(6.0, 45)
    for _ in range(45):
        assert pace.wait_s("a", 0.0) == 0
        pace.take("a", 0.0)
    assert pace.wait_s("a", 0.0) == pytest.approx(6.0)
    assert pace.wait_s("b", 0.0) == 0
    assert pace.wait_s("a", 6.0) == 0


def test_recipients_that_have_rested_are_forgotten_and_the_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacing, "_PRUNE_AT", 10)
    pace = RecipientPace(6.0, 1)
    for number in range(10):
        pace.take(f"old {number}", 0.0)
    pace.take("busy", 99.0)
    pace.take("new", 100.0)
    assert len(pace._paces) == 2
    assert pace.wait_s("busy", 100.0) == pytest.approx(5.0)
    assert pace.wait_s("old 1", 100.0) == 0
