"""Ids sort by the time at which they were made, and tell it."""

from __future__ import annotations

import pytest

from tablegram.values.ids import first_id, new_id, time_of


@pytest.mark.parametrize("moment", [0, 1, 31, 32, 1_800_000_000_123, 2**50 - 1])
def test_an_id_tells_when_it_was_made(moment: int) -> None:
    assert time_of(first_id(moment)) == moment
    assert time_of(f"evt_{first_id(moment)}{'0' * 16}") == moment


def test_an_id_that_is_made_now_is_of_this_time_or_a_later_one_that_was_given_before() -> None:
    one = new_id()
    two = new_id()
    assert one < two
    assert time_of(one) <= time_of(two)
    assert first_id(time_of(one)) < one < first_id(time_of(one) + 1)
