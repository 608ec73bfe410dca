"""When a delivery is tried again: by the schedule, later if the receiver asks for it, and never put off for ever."""

from __future__ import annotations

import random

import pytest

from tablegram.events.posting import seconds
from tablegram.events.schedule import (
    JITTER,
    MAX_AGE_MS,
    MAX_ATTEMPTS,
    MAX_RETRY_AFTER_S,
    RETRIES,
    RETRY_S,
)
from tests.events.office import Even


@pytest.mark.parametrize(
    ("attempts", "retry_after_s", "wait_s"),
    [
        (1, None, RETRY_S[0]),
        (2, None, RETRY_S[1]),
        # One that spent no attempt waits like the first; one that had all of them like the last.
        (0, None, RETRY_S[0]),
        (99, None, RETRY_S[-1]),
        # Who asks for less does not get it sooner; who asks for more gets that; nobody gets more than a day.
        (4, 5.0, RETRY_S[3]),
        (1, 90.0, 90.0),
        (1, 10.0 * MAX_RETRY_AFTER_S, MAX_RETRY_AFTER_S),
    ],
)
def test_it_waits_as_long_as_the_schedule_and_the_receiver_say(
    attempts: int, retry_after_s: float | None, wait_s: float
) -> None:
    assert RETRIES.next_ms(attempts, 1_000, retry_after_s, Even()) == 1_000 + wait_s * 1_000


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [
        ("", None),
        (" 7 ", 7.0),
        ("9" * 9, 999_999_999.0),
        ("9" * 10, None),
        ("Thu, 01 Jan 1970 00:01:40 GMT", 90.0),
        ("Thu, 01 Jan 1970 00:00:05 GMT", 0.0),
        ("soon", None),
    ],
)
def test_a_receiver_asks_in_seconds_or_by_a_date_and_nonsense_asks_for_nothing(
    header: str, wait_s: float | None
) -> None:
    assert seconds(header, 10) == wait_s


def test_waits_are_spread_so_that_many_do_not_come_back_at_once() -> None:
    chance = random.Random(7)
    waits = [RETRIES.next_ms(4, 0, None, chance) / 1_000 / RETRY_S[3] for _ in range(1_000)]
    assert 1 - JITTER <= min(waits) < 1 - JITTER / 2
    assert 1 + JITTER / 2 < max(waits) <= 1 + JITTER


def test_a_delivery_ends_with_its_attempts_or_its_time() -> None:
    assert not RETRIES.is_over(MAX_ATTEMPTS - 1, 0, MAX_AGE_MS - 1)
    assert RETRIES.is_over(MAX_ATTEMPTS, 0, 0)
    assert RETRIES.is_over(0, 0, MAX_AGE_MS)
