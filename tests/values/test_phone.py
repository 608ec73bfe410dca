"""Phone numbers as people write them, and the country that they are at home in."""

from __future__ import annotations

import pytest

from tablegram.errors import Invalid
from tablegram.values.countries import country_at
from tablegram.values.phone import example_phone, parse_phone, read_phone_in


@pytest.mark.parametrize(
    ("written", "country", "digits"),
    [
        ("0555 111 22 33", "TR", "905551112233"),
        ("555 111 22 33", "TR", "905551112233"),
        ("(0555) 111-22-33", "TR", "905551112233"),
        ("+90 555 111 22 33", "TR", "905551112233"),
        ("905551112233", "TR", "905551112233"),
        ("+44 7911 123456", "TR", "447911123456"),
        ("0044 7911 123456", "TR", "447911123456"),
        ("447911123456", "TR", "447911123456"),
        ("07911 123456", "GB", "447911123456"),
        ("+90 555 111 22 33", "", "905551112233"),
    ],
)
def test_a_number_is_read_as_it_is_written_in_its_country(written: str, country: str, digits: str) -> None:
    assert read_phone_in(written, country) == digits


@pytest.mark.parametrize(("written", "country"), [("12", "TR"), ("", "TR"), ("0555 111 22 33", ""), ("abc", "TR"), ("9" * 400, "TR")])  # fmt: skip
def test_what_is_no_number_is_refused(written: str, country: str) -> None:
    with pytest.raises(Invalid):
        read_phone_in(written, country)


def test_a_place_tells_its_country_and_how_numbers_look_there() -> None:
    assert country_at("Europe/Istanbul") == "TR"
    assert country_at("UTC", "de-AT") == "AT"
    assert country_at("UTC", "de") == ""
    assert read_phone_in(example_phone("TR"), "TR").startswith("905")
    assert example_phone("").startswith("+")


def test_a_number_written_as_people_do_is_answered_with_the_one_that_is_meant() -> None:
    meant = {
        "+905551112233": "905551112233",
        "00905551112233": "905551112233",
        "+90 (555) 111-22-33": "905551112233",
        "90 555 111 22 33": "905551112233",
        "05551112233": "",
        "+": "",
        "hello": "",
        "+" * 5_000: "",
        "+90555111223344556677": "",
    }
    told = {}
    for text in meant:
        with pytest.raises(Invalid) as problem:
            parse_phone(text)
        told[text] = problem.value.errors[0].detail.partition("Did you mean ")[2].rstrip("?")
    assert told == meant
