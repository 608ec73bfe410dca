"""What a definition may be: errors name the step and the fix; times, figures and states are what they seem."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.automations import checking, presets
from tablegram.automations.model import Definition, On, WaitStep, read_definition, write_definition
from tablegram.automations.ratings import read_figure
from tablegram.automations.states import NEXT, Event, State, next_state
from tablegram.automations.timing import after, birthdays, next_time
from tablegram.errors import Conflict, Invalid
from tests.cases import cases

TRIGGER = {"on": "first_order"}
SAY = {"do": "message", "text": "Hi"}
ASK = {"do": "feedback", "text": "How was it?"}
GIFT = {"do": "coupon", "name": "10% off", "percent": 10}

# What is given, the path that is told, and the code.
WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"trigger": None}, "trigger", "type_invalid"),
    ({"trigger": {"on": "full_moon"}}, "trigger.on", "type_invalid"),
    ({"trigger": {"on": "first_order", "since": 1}}, "trigger", "type_invalid"),
    ({"trigger": {"on": "no_order"}}, "trigger.days", "out_of_range"),
    ({"trigger": {"on": "no_order", "days": 10**30}}, "trigger.days", "out_of_range"),
    ({"trigger": {"on": "birthday", "at": "25:00"}}, "trigger.at", "time_wrong"),
    ({"trigger": {"on": "tag_added", "tag": " "}}, "trigger.tag", "tag_wrong"),
    ({"trigger": {"on": "meal_finished", "tag": "x"}}, "trigger.tag", "not_used"),
    ({"steps": {}}, "steps", "type_invalid"),
    ({"steps": [SAY] * 21}, "steps", "steps_too_many"),
    ({"steps": [SAY, "end"]}, "steps[1].do", "step_unknown"),
    ({"steps": [{"do": ["wait"]}]}, "steps[0].do", "step_unknown"),
    ({"steps": [SAY, {"do": "explode"}]}, "steps[1].do", "step_unknown"),
    ({"steps": [SAY, {"do": "wait"}]}, "steps[1]", "wait_empty"),
    ({"steps": [{"do": "wait", "minutes": -5}]}, "steps[0].minutes", "out_of_range"),
    ({"steps": [{"do": "wait", "days": 1.5}]}, "steps[0].days", "type_invalid"),
    ({"steps": [{"do": "wait", "until": "6pm"}]}, "steps[0].until", "time_wrong"),
    ({"steps": [{"do": "condition"}]}, "steps[0]", "type_invalid"),
    ({"steps": [{"do": "condition", "rules": []}]}, "steps[0].rules", "type_invalid"),
    ({"steps": [{"do": "message"}]}, "steps[0].text", "text_missing"),
    ({"steps": [{**SAY, "text": "x" * 1_001}]}, "steps[0].text", "text_too_long"),
    ({"steps": [{**SAY, "text": "a\x00b"}]}, "steps[0].text", "text_wrong"),
    ({"steps": [{**SAY, "text": "{{phone}}"}]}, "steps[0].text", "variable_unknown"),
    ({"steps": [{**SAY, "text": "{{name"}]}, "steps[0].text", "variable_broken"),
    ({"steps": [{**SAY, "html": "<b>"}]}, "steps[0]", "type_invalid"),
    ({"steps": [{**SAY, "button": "Go"}]}, "steps[0].button", "button_half"),
    ({"steps": [{**SAY, "button": "Go", "button_url": "javascript:x"}]}, "steps[0].button_url", "url_wrong"),
    ({"steps": [{**SAY, "kind": "media"}]}, "steps[0].media_url", "media_missing"),
    ({"steps": [{"do": "message", "kind": "template"}]}, "steps[0].template_name", "template_missing"),
    ({"steps": [{**ASK, "low": 4, "high": 4}]}, "steps[0].high", "out_of_range"),
    ({"steps": [{**ASK, "review_url": "http://plain.example"}]}, "steps[0].review_url", "url_wrong"),
    ({"steps": [ASK, SAY, ASK]}, "steps[2]", "feedback_twice"),
    ({"steps": [{**GIFT, "percent": 101}]}, "steps[0].percent", "out_of_range"),
    ({"steps": [{**GIFT, "amount": 5}]}, "steps[0].amount", "not_used"),
    ({"steps": [{**GIFT, "percent": 0, "amount": 5}]}, "steps[0].currency", "currency_unknown"),
    ({"steps": [{**GIFT, "percent": 0, "amount": 0.001, "currency": "TRY"}]}, "steps[0].amount", "amount_wrong"),
    ({"steps": [{**GIFT, "name": "a\nb"}]}, "steps[0].name", "name_wrong"),
    ({"phones": ["0532"]}, "phones[0]", "phone_wrong"),
    ({"phones": "905321112233"}, "phones", "type_invalid"),
    ({"phones": ["905321112233"] * 6}, "phones", "too_many"),
    ({"quiet_from": "22:00", "quiet_until": ""}, "quiet_until", "quiet_hours_half"),
    ({"time_zone": "Mars/Base"}, "time_zone", "time_zone_unknown"),
    ({"cap_days": 8}, "cap_days", "type_invalid"),
]  # fmt: skip


def test_what_is_wrong_is_told_by_its_path_and_with_what_to_do() -> None:
    with cases() as tried:
        for fields, path, code in WRONG:
            with tried.case(f"{fields}"):
                with pytest.raises(Invalid) as wrong:
                    checking.parse({"trigger": TRIGGER, **fields})  # type: ignore[typeddict-item]
                told = wrong.value.errors
                assert (path, code) in [(error.field, error.code) for error in told], told
                assert all(error.detail.endswith(".") for error in told), told


def test_ready_made_ones_are_ready_in_both_languages_and_read_back_as_they_were_written() -> None:
    for preset in presets.PRESETS:
        for language in ("en", "tr"):
            fields = presets.fields_of(preset, language)
            made = checking.parse({**fields, "phones": ["905321112233"]})
            checking.check_ready(made)
            assert read_definition(write_definition(made)) == made
            again = checking.parse(msgspec.to_builtins(made))
            assert again == made
    assert {
        fields_of["trigger"]["on"] for fields_of in (presets.fields_of(one, "en") for one in presets.PRESETS)
    } <= set(get_args(On))


def test_every_pair_of_state_and_event_is_decided() -> None:
    for state in get_args(State):
        for event in get_args(Event):
            try:
                assert next_state(state, event) == NEXT[state, event]
            except Conflict:
                assert (state, event) not in NEXT
    assert not [pair for pair in NEXT if pair[0] == "archived"]


def _ms(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1_000)


def test_waits_end_when_the_clock_shows_it_also_when_clocks_are_changed() -> None:
    zone = "Europe/Berlin"
    assert after(WaitStep(hours=1, minutes=30), 0, zone) == 5_400_000
    # Summer time begins on 2026-03-29: 09:00 is an hour nearer.
    assert next_time("09:00", _ms("2026-03-28T20:00:00"), zone) == _ms("2026-03-29T07:00:00")
    assert next_time("09:00", _ms("2026-03-29T07:00:30"), zone) == _ms("2026-03-29T07:00:30")
    assert next_time("09:00", _ms("2026-03-29T07:01:00"), zone) == _ms("2026-03-30T07:00:00")
    assert birthdays(date(2026, 2, 28)) == ("02-28", "02-29")
    assert birthdays(date(2028, 2, 28)) == ("02-28",)
    assert birthdays(date(2028, 2, 29)) == ("02-29",)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    st.integers(0, 4_000_000_000_000), st.integers(0, 1_439), st.sampled_from(["Europe/Istanbul", "America/New_York"])
)
def test_a_time_of_the_day_is_within_a_day_and_never_before(at: int, minute: int, zone: str) -> None:
    found = next_time(f"{minute // 60:02}:{minute % 60:02}", at, zone)
    assert at <= found <= at + 26 * 3_600_000


def test_a_rating_is_a_whole_message() -> None:
    for text, figure in {
        "5": 5, " 1 ": 1, "4/5": 4, "3.": 3, "⭐⭐⭐": 3, "⭐️⭐️": 2, "★": 1, "6": None, "0": None, "10": None, "5 adana": None,
        "4 5": None, "": None, "masa 4": None, "⭐⭐⭐⭐⭐⭐": None, "5" * 50: None,
    }.items():  # fmt: skip
        assert read_figure(text) == figure, text


def test_nothing_that_is_json_breaks_the_reading() -> None:
    @settings(max_examples=60, derandomize=True, deadline=None)
    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=6),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["do", "on", "text", "rules", "x"]), inner, max_size=3),
            max_leaves=6,
        ),
        st.sampled_from(["trigger", "steps", "phones", "language", "cap_messages", "quiet_from"]),
    )  # fmt: skip
    def tried(value: Any, field: str) -> None:
        try:
            made = checking.parse({"trigger": TRIGGER, "steps": [SAY], field: value})  # type: ignore[misc]
        except Invalid:
            return
        assert isinstance(made, Definition)

    tried()
