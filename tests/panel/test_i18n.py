"""Numbers, money and times as each language writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from tablegram.panel import i18n
from tablegram.values.clock import DAY_MS, HOUR_MS, MINUTE_MS

NOON = int(datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp() * 1_000)


@pytest.mark.parametrize(
    ("language", "value", "digits", "shown"),
    [("en", 1234567, 0, "1,234,567"), ("tr", 1234567, 0, "1.234.567"), ("tr", 12.5, 1, "12,5"), ("en", -3, 0, "-3")],
)
def test_numbers_are_grouped_as_the_language_groups_them(language: str, value: float, digits: int, shown: str) -> None:
    assert i18n.format_number(language, value, digits) == shown


@pytest.mark.parametrize(
    ("language", "micros", "shown"),
    [
        ("en", 0, "$0.00"),
        ("en", 496_000, "$0.50"),
        ("en", 12_300, "$0.0123"),
        ("tr", 12_300, "$0,0123"),
        ("en", 1_404_450_000, "$1,404.45"),
        ("tr", 1_404_450_000, "$1.404,45"),
        ("en", -2_500_000, "−$2.50"),
    ],
)
def test_money_shows_the_digits_that_matter(language: str, micros: int, shown: str) -> None:
    assert i18n.format_money(language, micros) == shown


@pytest.mark.parametrize(
    ("ago", "english", "turkish"),
    [
        (0, "just now", "az önce"),
        (59_000, "just now", "az önce"),
        (5 * MINUTE_MS, "5 min ago", "5 dk önce"),
        (3 * HOUR_MS, "3 h ago", "3 sa önce"),
        (2 * DAY_MS, "2 d ago", "2 gün önce"),
        (-90 * MINUTE_MS, "in 1 h", "1 sa sonra"),
        (10 * DAY_MS, "19 Feb", "19 Şub"),
        (400 * DAY_MS, "25 Jan 2025", "25 Oca 2025"),
    ],
)
def test_times_are_told_by_their_distance_and_far_ones_by_their_date(ago: int, english: str, turkish: str) -> None:
    assert i18n.format_when("en", NOON - ago, NOON, UTC) == english
    assert i18n.format_when("tr", NOON - ago, NOON, UTC) == turkish


def test_an_exact_time_is_the_visitors_own() -> None:
    istanbul = i18n.find_zone("Europe/Istanbul")
    assert istanbul == ZoneInfo("Europe/Istanbul")
    assert i18n.format_exact("tr", NOON, istanbul) == "1 Mar 2026 15:00:00"


@pytest.mark.parametrize("name", ["", "Nowhere/Else", "../etc/passwd", "/etc/passwd", "x" * 65, "Europe/\x00"])
def test_a_zone_that_does_not_exist_counts_as_utc(name: str) -> None:
    assert i18n.find_zone(name) is UTC


@pytest.mark.parametrize(
    ("wishes", "accepted", "chosen"),
    [
        (("tr",), "en", "tr"),
        (("", "en"), "tr", "en"),
        (("xx", None), "de, tr;q=0.8, en;q=0.5", "tr"),
        ((), "tr-TR,tr;q=0.9", "tr"),
        ((), "", "en"),
        ((), "fr;q=oops,;;", "en"),
    ],
)
def test_a_person_chooses_the_language_before_the_browser_does(
    wishes: tuple[str | None, ...], accepted: str, chosen: str
) -> None:
    assert i18n.choose_language(*wishes, accepted=accepted) == chosen


def test_what_is_put_into_words_cannot_become_markup() -> None:
    shown = i18n.translate("en", "frame.type_to_confirm", word=Markup("<b>x</b>"))
    assert shown == "Type “<b>x</b>” to confirm"
    assert not isinstance(i18n.translate("en", "frame.type_to_confirm", word="<b>"), Markup)
