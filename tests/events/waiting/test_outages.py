"""Outages and the times of events, each rule by itself; how they play together is tried in `test_lanes.py`."""

from __future__ import annotations

from tablegram.events.waiting.items import HOLD_MS, RECENT_MS, Item, Lane
from tablegram.events.waiting.outages import SCOUT_EVERY_MS, Outage, Turn

NOW = 1_000_000


def item(number: int = 1, due_at: int = NOW, **more: object) -> Item:
    return Item(f"e{number}", "a", b"{}", 0, due_at, NOW, **more)  # type: ignore[arg-type]


def test_free_tries_come_in_pairs_once_a_minute() -> None:
    outage = Outage(item(), NOW)
    assert (outage.turn(NOW), outage.turn_ends_at()) == (Turn.COMPANION, 0)
    outage.companion_goes()
    assert (outage.turn(NOW), outage.turn_ends_at()) == (Turn.RESTING, NOW + SCOUT_EVERY_MS)
    assert outage.turn(NOW + SCOUT_EVERY_MS - 1) is Turn.RESTING
    assert outage.turn(NOW + SCOUT_EVERY_MS) is Turn.PROBE
    outage.probe_goes(NOW + SCOUT_EVERY_MS)
    assert outage.turn(NOW + SCOUT_EVERY_MS) is Turn.COMPANION
    outage.companion_goes()
    assert outage.turn_ends_at() == NOW + 2 * SCOUT_EVERY_MS


def test_a_clock_that_is_set_back_makes_no_rest_longer() -> None:
    outage = Outage(item(), NOW)
    outage.companion_goes()
    assert outage.turn(NOW - 1) is Turn.PROBE


def test_with_nobody_there_the_next_one_goes_behind_the_probe_again() -> None:
    outage = Outage(item(), NOW)
    outage.nobody_goes(NOW + 5)
    assert (outage.turn(NOW + 5), outage.turn_ends_at()) == (Turn.PROBE, NOW + 5)
    # Only once: who rests goes on resting.
    outage.probe_goes(NOW + 5)
    outage.companion_goes()
    outage.nobody_goes(NOW + 6)
    assert outage.turn(NOW + 6) is Turn.RESTING


def test_an_outage_is_confirmed_by_another_event_than_the_suspect() -> None:
    suspect = item(1)
    outage = Outage(suspect, NOW)
    outage.failed(suspect)
    assert not outage.is_confirmed
    outage.failed(item(2))
    outage.failed(suspect)
    assert outage.is_confirmed


def test_of_those_that_made_way_only_what_is_erased_does_not_come_back() -> None:
    erased, other = item(1), item(2)
    outage = Outage(item(3), NOW)
    outage.made_way = [erased, other]
    outage.forget(erased)
    assert outage.made_way == [other]


def test_an_event_that_failed_holds_its_sender_for_a_minute_from_its_first_failure() -> None:
    one = item()
    assert (one.waits, one.is_due(NOW), one.held_long_enough(NOW)) == (False, True, False)
    one.fail(NOW, NOW + 2_000)
    one.fail(NOW + 2_000, NOW + 300_000)
    assert (one.waits, one.is_due(NOW + 299_999), one.is_due(NOW + 300_000)) == (True, False, True)
    assert not one.held_long_enough(NOW + HOLD_MS - 1)
    assert one.held_long_enough(NOW + HOLD_MS)
    # The clock was set back behind the failure.
    assert one.is_due(NOW + 1_999)
    assert one.held_long_enough(NOW - 1)


def test_a_failure_that_does_not_count_leaves_the_time_as_it_is() -> None:
    one = item(due_at=NOW + 9, free=True)
    assert (one.waits, one.at) == (False, 0)
    one.fail(NOW, None)
    assert (one.due_at, one.at, one.free) == (NOW + 9, NOW + 9, False)


def test_what_failed_just_now_is_not_excused() -> None:
    one = item()
    one.fail(NOW, NOW + 300_000)
    one.excuse(NOW + RECENT_MS - 1)
    assert (one.free, one.failed_first_at) == (False, NOW)
    one.excuse(NOW + RECENT_MS)
    assert (one.free, one.failed_first_at) == (True, None)
    # One that is due anyway needs no free try.
    one.fail(NOW, NOW + 300_000)
    one.excuse(NOW + 300_000)
    assert (one.free, one.failed_first_at) == (False, None)


def test_a_late_comer_stands_by_its_id_behind_what_is_away() -> None:
    lane = Lane("a")
    for number in (2, 4, 3):
        lane.insert(item(number))
    assert [one.id for one in lane.items] == ["e2", "e3", "e4"]
    lane.away = True
    lane.insert(item(1))
    assert [one.id for one in lane.items] == ["e2", "e1", "e3", "e4"]
    assert lane.is_away_with(lane.first)
    assert not lane.is_away_with(lane.items[1])


def test_a_lane_can_go_when_its_first_event_is_due_or_may_be_passed() -> None:
    lane = Lane("a")
    lane.insert(item(1))
    lane.first.fail(NOW, NOW + 300_000)
    assert lane.at == NOW + 300_000
    lane.insert(item(2))
    assert lane.at == NOW + HOLD_MS
    lane.first.due_at = NOW + 2_000
    assert lane.at == NOW + 2_000


def test_scouts_are_the_first_event_and_whoever_may_pass_it() -> None:
    lane = Lane("a")
    for number in (1, 2, 3):
        lane.insert(item(number))
    assert lane.scouts(NOW, without_first=False) == [(lane.first, 0)]
    assert lane.scouts(NOW, without_first=True) == []
    lane.first.fail(NOW, NOW + 300_000)
    assert lane.scouts(NOW, without_first=True) == [(lane.items[1], NOW + HOLD_MS)]
    assert lane.scouts(NOW + HOLD_MS, without_first=True) == [(lane.items[1], 0)]
    # What failed and stands aside waits for its own time.
    aside = Lane("e1", lane.items.__class__([lane.first]), aside=True)
    assert aside.scouts(NOW, without_first=False) == [(lane.first, NOW + 300_000)]
