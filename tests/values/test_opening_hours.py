"""Open or closed, in the time of the place."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from tablegram.values.opening_hours import Exceptional, OpeningHours, Span, WeekSpan, is_time_zone, moment

HOURS = OpeningHours(
    "Europe/Istanbul",
    [
        WeekSpan("monday", "09:00", "12:00"), WeekSpan("monday", "13:00", "18:00"), WeekSpan("friday", "18:00", "02:00"),
        WeekSpan("saturday", "00:00", "00:00"), WeekSpan("sunday", "20:00", "00:00"),
    ],
    [Exceptional("2027-01-04"), Exceptional("2027-01-05", [Span("10:00", "11:00")])],
)  # fmt: skip


@pytest.mark.parametrize(
    ("moment", "is_open"),
    [
        # 2027-01-11 is a Monday.
        ("2027-01-11 08:59", False), ("2027-01-11 09:00", True), ("2027-01-11 11:59", True), ("2027-01-11 12:00", False),
        ("2027-01-11 13:00", True), ("2027-01-11 18:00", False), ("2027-01-12 10:00", False),
        # Past midnight, a whole day, and up to midnight.
        ("2027-01-15 17:59", False), ("2027-01-15 23:59", True), ("2027-01-16 01:59", True), ("2027-01-16 12:00", True),
        ("2027-01-17 00:00", False), ("2027-01-17 23:59", True), ("2027-01-18 00:00", False),
        # Exceptions: closed on a Monday, open on a Tuesday.
        ("2027-01-04 10:00", False), ("2027-01-05 10:30", True), ("2027-01-05 11:00", False),
    ],
)  # fmt: skip
def test_the_week_and_its_exceptions(moment: str, is_open: bool) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo("Europe/Istanbul"))
    assert HOURS.is_open(round(at.timestamp() * 1_000)) is is_open


def test_an_exception_does_not_cut_off_the_night_before() -> None:
    hours = OpeningHours("UTC", [WeekSpan("friday", "20:00", "03:00")], [Exceptional("2027-01-16")])
    night = datetime.fromisoformat("2027-01-16T02:00+00:00")
    assert hours.is_open(round(night.timestamp() * 1_000))


def test_the_clock_of_the_place_counts_in_summer_and_winter() -> None:
    hours = OpeningHours("Europe/Berlin", [WeekSpan("monday", "09:00", "10:00")])
    winter = datetime.fromisoformat("2027-01-11T08:30+00:00")
    summer = datetime.fromisoformat("2027-07-12T07:30+00:00")
    for morning in (winter, summer):
        assert hours.is_open(round(morning.timestamp() * 1_000))
        assert not hours.is_open(round(morning.timestamp() * 1_000) + 3_600_000)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Europe/Istanbul", True),
        ("UTC", True),
        ("America/Argentina/Ushuaia", True),
        ("Europe", False),
        ("Mars/Base", False),
        ("", False),
        ("../etc/passwd", False),
        ("/etc/passwd", False),
        ("a b", False),
    ],
)
def test_only_real_time_zones_are_taken(name: str, known: bool) -> None:
    assert is_time_zone(name) is known


@pytest.mark.parametrize(
    ("zone", "day", "minute", "shown"),
    [
        # The hour after two is left out: everything in it is the moment of the change.
        ("Europe/Berlin", date(2027, 3, 28), 2 * 60, "2027-03-28T03:00:00+02:00"),
        ("Europe/Berlin", date(2027, 3, 28), 2 * 60 + 30, "2027-03-28T03:00:00+02:00"),
        ("Europe/Berlin", date(2027, 3, 28), 3 * 60, "2027-03-28T03:00:00+02:00"),
        # The hour after two comes twice: the first time counts, and three o'clock comes once.
        ("Europe/Berlin", date(2027, 10, 31), 2 * 60 + 30, "2027-10-31T02:30:00+02:00"),
        ("Europe/Berlin", date(2027, 10, 31), 3 * 60, "2027-10-31T03:00:00+01:00"),
        ("Australia/Lord_Howe", date(2027, 10, 3), 2 * 60 + 15, "2027-10-03T02:30:00+11:00"),
        # A whole day that never was.
        ("Pacific/Apia", date(2011, 12, 30), 10 * 60, "2011-12-31T00:00:00+14:00"),
    ],
)
def test_a_time_of_day_is_the_first_moment_at_which_the_clock_is_there(
    zone: str, day: date, minute: int, shown: str
) -> None:
    assert moment(day, minute, zone) == round(datetime.fromisoformat(shown).timestamp() * 1_000)


def test_a_night_that_ends_in_the_repeated_hour_does_not_open_again() -> None:
    hours = OpeningHours("Europe/Berlin", [WeekSpan("saturday", "20:00", "02:30")])
    closing = datetime.fromisoformat("2027-10-31T02:30+02:00")
    again = datetime.fromisoformat("2027-10-31T02:15+01:00")
    assert hours.is_open(round(closing.timestamp() * 1_000) - 1)
    assert not hours.is_open(round(closing.timestamp() * 1_000))
    assert not hours.is_open(round(again.timestamp() * 1_000))
