from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.web.limits import Limiter


def test_a_burst_is_granted_at_once_and_no_more() -> None:
    limiter = Limiter()
    decisions = [limiter.take("key", 50, 100, 1_000.0) for _ in range(101)]
    assert [decision.allowed for decision in decisions] == [True] * 100 + [False]
    assert [decision.remaining for decision in decisions[:100]] == list(range(99, -1, -1))
    assert decisions[-1].retry_after_s == 1
    assert decisions[-1].reset_s == 2


def test_the_rate_comes_back_with_time() -> None:
    limiter = Limiter()
    for _ in range(100):
        limiter.take("key", 50, 100, 1_000.0)
    granted = sum(limiter.take("key", 50, 100, 1_000.0 + step / 500).allowed for step in range(501))
    assert granted == 50


def test_the_wait_it_tells_is_enough() -> None:
    limiter = Limiter()
    assert limiter.take("key", 0.2, 1, 1_000.0).allowed
    refused = limiter.take("key", 0.2, 1, 1_000.5)
    assert not refused.allowed
    assert refused.retry_after_s == 5
    assert limiter.take("key", 0.2, 1, 1_000.5 + refused.retry_after_s).allowed


def test_keys_do_not_share_a_bucket() -> None:
    limiter = Limiter()
    assert limiter.take("one", 1, 1, 0.0).allowed
    assert not limiter.take("one", 1, 1, 0.0).allowed
    assert limiter.take("two", 1, 1, 0.0).allowed


def test_a_lowered_limit_does_not_lock_a_caller_out() -> None:
    limiter = Limiter()
    for _ in range(1_000):
        limiter.take("key", 1, 1_000, 0.0)
    refused = limiter.take("key", 1, 2, 1.0)
    assert (refused.allowed, refused.retry_after_s) == (False, 1)
    assert limiter.take("key", 1, 2, 2.0).allowed


def test_memory_stays_bounded_and_full_buckets_are_forgotten() -> None:
    limiter = Limiter(max_keys=100)
    for number in range(5_000):
        limiter.take(f"address {number}", 1, 60, number / 1_000)
        assert len(limiter) <= 101
    many = Limiter()
    for number in range(5_000):
        many.take(f"address {number}", 1, 60, float(number))
    assert len(many) <= 1_025


@given(
    rate=st.floats(0.1, 1_000),
    burst=st.integers(1, 200),
    gaps=st.lists(st.floats(0, 2), min_size=1, max_size=300),
)
def test_no_caller_ever_gets_more_than_burst_plus_rate_times_time(rate: float, burst: int, gaps: list[float]) -> None:
    limiter = Limiter()
    now, granted = 100.0, 0
    for gap in gaps:
        now += gap
        decision = limiter.take("key", rate, burst, now)
        granted += decision.allowed
        assert 0 <= decision.remaining < burst
        assert decision.retry_after_s == 0 if decision.allowed else decision.retry_after_s >= 1
    assert granted <= burst + rate * (now - 100.0) + 0.01


@pytest.mark.parametrize("burst", [1, 3, 7, 10, 100, 1_000])
@pytest.mark.parametrize("rate", [0.3, 3, 7, 49.9, 1_000])
def test_rounding_costs_nobody_a_request(rate: float, burst: int) -> None:
    limiter = Limiter()
    assert sum(limiter.take("key", rate, burst, 12_345.678).allowed for _ in range(burst + 1)) == burst
