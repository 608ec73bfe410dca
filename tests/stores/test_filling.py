"""Texts with variables, and the hours in which nobody is written to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablegram.errors import Invalid
from tablegram.stores.notifications import wordings
from tablegram.stores.notifications.filling import MAX_MESSAGE, check_text, fill, plain_name, values, whole
from tablegram.stores.notifications.kinds import KINDS, LANGUAGES, STEPS, VARIABLES
from tablegram.stores.notifications.model import NoticeFacts, Wording, as_it_comes
from tablegram.stores.notifications.quiet import after_quiet
from tablegram.stores.ports import Good, Tracking
from tests.cases import cases

ORDER = NoticeFacts(
    name="Ayşe Yılmaz", number="#1001", shop="Pamuk", amount=125_050, currency="TRY",
    goods=(Good(name="Havlu", quantity=2), Good(name="Bornoz")), link="https://shop.example/o/1",
    tracking=Tracking(carrier="Yurtiçi", number="42", url="https://track.example/42"),
    form="Contact", fields=(("Message", "Call me"),),
)  # fmt: skip


def test_every_text_that_comes_with_the_product_names_only_what_there_is() -> None:
    for kind in KINDS:
        for language in LANGUAGES:
            for step in range(1, STEPS[kind] + 1):
                one = as_it_comes(1, kind, step, language)
                assert not one.enabled
                assert check_text(kind, one.wording.text) == one.wording.text
                said = whole(kind, one.wording, ORDER, language)
                assert "{" not in said
                assert len(said) > 20
                # The defaults pass their own checks.
                wordings.change(one, {"phones": ["905551112233"]} if kind == "form_alert" else {})


def test_a_text_is_filled_in_as_people_write() -> None:
    said = whole("order_confirmation", as_it_comes(1, "order_confirmation", 1, "tr").wording, ORDER, "tr")
    assert said == (
        "Merhaba Ayşe, Pamuk mağazamızdan verdiğiniz #1001 numaralı sipariş için teşekkür ederiz.\n\n"
        "2 × Havlu\n1 × Bornoz\n*Toplam: ₺1.250,50*\n\nSiparişiniz: https://shop.example/o/1"
    )
    bare = fill("Hi {name}, order {number}.\nTrack: {tracking_link}\n{items}\nBye {name}!", {
        "name": "", "number": "7", "tracking_link": "", "items": "",
    })  # fmt: skip
    assert bare == "Hi, order 7.\nBye!"


WRONG = [
    ("Hi {nmae}", "{nmae}"), ("{tracking_link}", "{tracking_link}"), ("{ answers }", "{answers}"), ("{name} {0}", "{0}"),
    ("{name.__class__}", "{name.__class__}"), ("{Name}", "{Name}"),
]  # fmt: skip


def test_an_unknown_variable_is_named_with_those_that_there_are() -> None:
    with cases() as tried:
        for text, named in WRONG:
            with tried.case(text), pytest.raises(Invalid) as caught:
                check_text("order_confirmation", text)
            (error,) = caught.value.errors
            assert (error.field, error.code) == ("text", "variable_unknown")
            assert named in error.detail
            assert "{number}" in error.detail


@pytest.mark.parametrize("name", ["Ayşe", "Ayşe Nur", "J. R. O'Neil", "Jean-Luc", "Müller", "محمد علي", "李小龍"])
def test_names_of_people_are_names(name: str) -> None:
    assert plain_name(f"  {name}\n") == name


@pytest.mark.parametrize(
    "name",
    [
        "win at evil.example",
        "https://evil.example",
        "evil.co",
        "Call 905551112233",
        "a@b",
        "Ayşe\u202e*",
        "x" * 61,
        "!",
    ],
)
def test_what_is_no_name_is_left_out(name: str) -> None:
    assert plain_name(name) in ("", "Ayşe")


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300))
def test_whatever_a_shop_writes_is_filled_in_once_and_stays_in_bounds(name: str, reason: str, number: str) -> None:
    facts = NoticeFacts(name=name, reason=reason, number=number, link=reason, goods=(Good(name=name),) * 60)
    text = "{name}|{number}|{reason}"
    known = values("cancellation", facts, "en")
    assert set(known) == set(VARIABLES["cancellation"])
    said = fill(text, known)
    assert len(said) <= MAX_MESSAGE
    assert "\n" not in said
    # What a value says in braces is not filled in again.
    if "{number}" in known["reason"]:
        assert "{number}" in said


NIGHT = Wording(text="x", quiet_from="22:00", quiet_until="08:00", time_zone="Europe/Istanbul")
NOON = Wording(text="x", quiet_from="12:00", quiet_until="13:30", time_zone="Europe/Istanbul")


def _at(text: str) -> int:
    return int(datetime.fromisoformat(text).astimezone(UTC).timestamp() * 1_000)


def test_what_falls_into_quiet_hours_goes_when_they_end() -> None:
    expected = [
        (NIGHT, "2026-11-16T21:59+03:00", "2026-11-16T21:59+03:00"),
        (NIGHT, "2026-11-16T22:00+03:00", "2026-11-17T08:00+03:00"),
        (NIGHT, "2026-11-17T03:00+03:00", "2026-11-17T08:00+03:00"),
        (NIGHT, "2026-11-17T08:00+03:00", "2026-11-17T08:00+03:00"),
        (NOON, "2026-11-17T12:10+03:00", "2026-11-17T13:30+03:00"),
        (NOON, "2026-11-17T13:30+03:00", "2026-11-17T13:30+03:00"),
        # By the recipient's clock where the shop has none: New York, and the night in which its clock goes forward.
        (
            Wording(text="x", quiet_from="22:00", quiet_until="02:30"),
            "2026-03-08T01:00-05:00",
            "2026-03-08T03:00-04:00",
        ),
        (Wording(text="x"), "2026-03-08T01:00-05:00", "2026-03-08T01:00-05:00"),
    ]
    for wording, at, wanted in expected:
        assert after_quiet(_at(at), wording, "12125551234") == _at(wanted), (at, wanted)


@given(st.integers(1_700_000_000, 1_900_000_000), st.integers(0, 1_439), st.integers(0, 1_439),
       st.sampled_from(["Europe/Istanbul", "America/New_York", "Australia/Lord_Howe", "UTC"]))  # fmt: skip
def test_quiet_hours_always_end(at_s: int, begins: int, ends: int, place: str) -> None:
    def clock(minute: int) -> str:
        return f"{minute // 60:02}:{minute % 60:02}"

    wording = Wording(text="x", quiet_from=clock(begins), quiet_until=clock(ends), time_zone=place)
    moment = at_s * 1_000
    for _ in range(3):
        later = after_quiet(moment, wording, "")
        assert moment <= later <= moment + 26 * 3_600_000
        if later == moment:
            return
        moment = later
    raise AssertionError("it is always quiet")


def test_the_address_of_a_file_is_told_whole_or_not_at_all() -> None:
    address = "https://files.example/plan.pdf?" + "a" * 400
    told = NoticeFacts(
        fields=(("Plan", f"plan.pdf {address}"), ("Note", "b" * 300), ("Odd", "c" * 300 + "://" + "d" * 300))
    )
    lines = values("form_alert", told, "en")["answers"].split("\n")
    assert lines[0] == f"Plan: plan.pdf {address}"
    assert [len(line) for line in lines[1:]] == [len("Note: ") + 200, len("Odd: ") + 200]
