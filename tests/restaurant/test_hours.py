"""Open now? Until when? What is the next slot? The same answers as walking along the clock minute by minute."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.restaurant.hours import Opening, Pause, VenueHours, check_hours, look
from tablegram.values.opening_hours import DAYS, Exceptional, Span, WeekSpan
from tests.long import many
from tests.restaurant.clock_walk import MINUTE_MS, walk

# Days on which the clock changes: by an hour at night, by half an hour, at midnight, and a place where it never does.
CHANGES = [
    ("Europe/Berlin", date(2027, 3, 28)),
    ("Europe/Berlin", date(2027, 10, 31)),
    ("America/New_York", date(2027, 3, 14)),
    ("America/New_York", date(2027, 11, 7)),
    ("Australia/Lord_Howe", date(2027, 4, 4)),
    ("Australia/Lord_Howe", date(2027, 10, 3)),
    ("Africa/Cairo", date(2027, 4, 30)),
    ("Africa/Cairo", date(2027, 10, 29)),
    ("Europe/Istanbul", date(2027, 3, 28)),
]

# In the night, when clocks change, and anywhere.
_TIMES = st.one_of(st.integers(0, 4 * 60), st.integers(23 * 60, 24 * 60 - 1), st.integers(0, 24 * 60 - 1)).map(
    lambda at: f"{at // 60:02d}:{at % 60:02d}"
)
_SPANS = st.builds(Span, _TIMES, _TIMES)


def _weeks(day: date) -> st.SearchStrategy[list[WeekSpan]]:
    """Mostly spans of the day of the change and of its eve; now and then a week without an end."""
    near = [DAYS[(day.weekday() + away) % 7] for away in (-1, 0)]
    days = st.one_of(st.sampled_from(near), st.sampled_from(near), st.sampled_from(DAYS))
    endless = [WeekSpan(one, "00:00", "00:00") for one in DAYS]
    some = st.lists(st.builds(WeekSpan, days, _TIMES, _TIMES), min_size=1, max_size=6)
    return st.one_of(some, some, some, st.just(endless))


@st.composite
def cases(draw: st.DrawFn) -> tuple[VenueHours, date, int]:
    """Hours, the day around which the clock is watched, and the minute of asking."""
    zone, day = draw(st.sampled_from(CHANGES))
    watched = walk(zone, day)
    week = draw(_weeks(day))
    near = st.integers(-2, 2).map(lambda away: (day + timedelta(days=away)).isoformat())
    exceptions = draw(st.lists(st.builds(Exceptional, near, st.lists(_SPANS, max_size=2)), max_size=2))
    at = st.integers(0, len(watched) - 1)
    pauses = []
    for start in draw(st.lists(at, max_size=2)):
        length = draw(st.one_of(st.none(), st.integers(1, 600)))
        end = None if length is None else watched.moment(start + length)
        pauses.append(Pause(watched.moment(start), end))
    last_order = draw(st.sampled_from([0, 15, 30, 90]))
    hours = VenueHours(zone, week, exceptions, pauses, last_order)
    # The walk sees what began a day before it; asking stays clear of its ends.
    return hours, day, draw(st.integers(26 * 60, len(watched) - 26 * 60))


@pytest.mark.slow
@settings(max_examples=many(40, 150), deadline=None)
@given(cases(), st.sampled_from([0, 20, 45]))
def test_it_agrees_with_walking_along_the_clock(case: tuple[VenueHours, date, int], lead_min: int) -> None:
    hours, day, asked = case
    watched = walk(hours.time_zone, day)
    doors, paused = watched.doors(hours), watched.paused(hours)
    is_open = [door and not pause for door, pause in zip(doors, paused, strict=True)]
    taking = [one and not pause for one, pause in zip(watched.kitchen(hours, doors), paused, strict=True)]

    def first(values: list[bool], wanted: bool, start: int) -> int | None:
        return next((watched.moment(one) for one in range(start, len(watched)) if values[one] is wanted), None)

    # Behind this the walk's own view of what follows ends.
    end = len(watched) - 26 * 60

    def same(answer: int | None, walked: int | None) -> None:
        if walked is not None and walked < watched.moment(end):
            assert answer == walked
        else:
            assert answer is None or answer >= watched.moment(end)

    # Where something changes, and the minute before; a mistake hides nowhere else.
    edges = [one for one in range(1, end) if (is_open[one], taking[one]) != (is_open[one - 1], taking[one - 1])]
    around = {asked, *edges, *(edge - 1 for edge in edges)}
    for number in sorted(one for one in around if 26 * 60 <= one < end - lead_min)[:24]:
        standing = look(hours, watched.moment(number), lead_min=lead_min)
        assert standing.is_open is is_open[number]
        assert standing.takes_orders is taking[number]
        same(standing.until_ms, first(is_open, False, number) if standing.is_open else None)
        same(standing.opens_ms, None if standing.is_open else first(is_open, True, number))
        same(standing.orders_until_ms, first(taking, False, number) if standing.takes_orders else None)
        same(standing.next_slot_ms, first(taking, True, number + lead_min))


@settings(max_examples=many(40, 100), deadline=None)
@given(cases())
def test_its_answers_fit_together(case: tuple[VenueHours, date, int]) -> None:
    hours, day, asked = case
    at_ms = walk(hours.time_zone, day).moment(asked)
    standing = look(hours, at_ms)
    assert standing.is_open or not standing.takes_orders
    assert (standing.reason == "open") is standing.takes_orders
    assert (standing.reason in ("open", "last_order_passed")) is standing.is_open
    if standing.takes_orders:
        assert standing.next_slot_ms == at_ms
    if standing.until_ms is not None:
        assert standing.until_ms > at_ms
        assert look(hours, standing.until_ms - 1).is_open
        assert not look(hours, standing.until_ms).is_open
    if standing.opens_ms is not None:
        assert standing.opens_ms > at_ms
        assert not look(hours, standing.opens_ms - 1).is_open
        assert look(hours, standing.opens_ms).is_open
    if standing.next_slot_ms is not None:
        assert look(hours, standing.next_slot_ms).takes_orders


def at(text: str, zone: str = "Europe/Istanbul") -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1_000)


WEEKEND = VenueHours("Europe/Istanbul", [WeekSpan("friday", "18:00", "02:00")], last_order_min=30)


def test_a_friday_night_runs_into_saturday() -> None:
    # 2027-01-15 is a Friday.
    standing = look(WEEKEND, at("2027-01-16 01:00"))
    assert standing == Opening(
        is_open=True,
        until_ms=at("2027-01-16 02:00"),
        opens_ms=None,
        takes_orders=True,
        orders_until_ms=at("2027-01-16 01:30"),
        next_slot_ms=at("2027-01-16 01:00"),
        reason="open",
    )
    late = look(WEEKEND, at("2027-01-16 01:45"))
    assert (late.is_open, late.takes_orders, late.reason) == (True, False, "last_order_passed")
    assert late.next_slot_ms == at("2027-01-22 18:00")


def test_a_bar_that_closes_at_three_stays_an_hour_longer_when_the_clock_goes_back() -> None:
    bar = VenueHours("Europe/Berlin", [WeekSpan("saturday", "20:00", "03:00")])
    opened = look(bar, at("2027-10-30 21:00", "Europe/Berlin"))
    assert opened.until_ms is not None
    assert opened.until_ms - at("2027-10-30 20:00", "Europe/Berlin") == 8 * 60 * MINUTE_MS


def test_what_is_always_open_has_no_end_and_what_never_opens_no_beginning() -> None:
    always = VenueHours("Europe/Berlin", [WeekSpan(day, "00:00", "00:00") for day in DAYS], last_order_min=60)
    standing = look(always, at("2027-03-27 23:00"))
    assert (standing.is_open, standing.until_ms, standing.orders_until_ms) == (True, None, None)
    never = look(VenueHours("UTC", []), at("2027-03-27 23:00"))
    assert (never.is_open, never.opens_ms, never.next_slot_ms, never.reason) == (False, None, None, "closed")


def test_a_holiday_far_ahead_ends_what_seems_endless() -> None:
    hours = VenueHours(
        "Europe/Istanbul", [WeekSpan(day, "00:00", "00:00") for day in DAYS], [Exceptional("2027-04-23")]
    )
    assert look(hours, at("2027-02-01 12:00")).until_ms == at("2027-04-23 00:00")


def test_after_a_long_holiday_the_first_open_day_is_found() -> None:
    closed = [Exceptional((date(2027, 7, 1) + timedelta(days=day)).isoformat()) for day in range(62)]
    hours = VenueHours("Europe/Istanbul", [WeekSpan("monday", "09:00", "17:00")], closed)
    assert look(hours, at("2027-07-01 12:00")).opens_ms == at("2027-09-06 09:00")


def test_a_pause_without_an_end_stops_orders_until_somebody_ends_it() -> None:
    paused = VenueHours(
        "Europe/Istanbul", [WeekSpan("friday", "18:00", "02:00")], pauses=[Pause(at("2027-01-15 20:00"))]
    )
    before = look(paused, at("2027-01-15 19:00"))
    assert (before.is_open, before.until_ms) == (True, at("2027-01-15 20:00"))
    during = look(paused, at("2027-01-15 21:00"))
    assert (during.is_open, during.reason, during.opens_ms) == (False, "paused", None)


@pytest.mark.parametrize(
    ("hours", "field"),
    [
        (VenueHours("Mars/Olympus", []), "time_zone"),
        (VenueHours("UTC", [WeekSpan("monday", "9:00", "17:00")]), "hours[0]"),
        (VenueHours("UTC", [WeekSpan("monday", "09:00", "24:00")]), "hours[0]"),
        (VenueHours("UTC", [], [Exceptional("2027-02-30")]), "exceptions[0].date"),
        (VenueHours("UTC", [], [Exceptional("2027-02-28", [Span("x", "10:00")])]), "exceptions[0].spans"),
        (VenueHours("UTC", [], pauses=[Pause(5, 5)]), "pauses[0]"),
        (VenueHours("UTC", [], last_order_min=-1), "last_order_min"),
    ],
)
def test_hours_that_cannot_be_are_refused_with_their_place(hours: VenueHours, field: str) -> None:
    assert [error.field for error in check_hours(hours)] == [field]
