"""What needs no store: variables, links, clocks, the split, and when it is enough."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from tablegram.campaigns import checking, filling, timing
from tablegram.campaigns.judging import BLOCKED, ENOUGH, judge, network_reason
from tablegram.campaigns.model import HOLDOUT, Plan, SendState
from tablegram.campaigns.rows import DelayCount, SendCount
from tablegram.campaigns.splitting import arm_of
from tablegram.errors import Invalid
from tablegram.flows.campaigns.message.wording import Wording
from tablegram.messaging.model import Buttons, Media, Template, Text
from tablegram.values.texts.variables import fill, names
from tablegram.values.words import LANGUAGES


def ms(*at: int, place: str = "UTC") -> int:
    return round(datetime(*at, tzinfo=ZoneInfo(place)).timestamp() * 1_000)  # type: ignore[arg-type,misc]


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("Hi {{name|friend}}!", "Ayşe Yılmaz", "Hi Ayşe Yılmaz!"),
        ("Hi {{ first_name | friend }}!", "  Ayşe\n Yılmaz ", "Hi Ayşe!"),
        ("Hi {{name|friend}}!", "", "Hi friend!"),
        ("Hi {{name}}!", "", "Hi!"),
        ("{{name}} {{name}}", "{{name}}", "{{name}} {{name}}"),
        ("50% {off}", "x", "50% {off}"),
    ],
)
def test_variables_have_fallbacks_and_values_are_never_read_as_text(text: str, name: str, shown: str) -> None:
    assert fill(text, names(name)) == shown


def test_what_cannot_be_is_refused_by_its_field() -> None:
    wrong: list[tuple[str, Any]] = [
        ("texts", ["{{phone}}"]), ("texts", ["{{name"]), ("texts", ["name}}"]), ("texts", ["{{Name}}"]),
        ("template_variables", ["{{nobody}}"]), ("time_zone", "Mars/Olympus"), ("texts", ["x"] * 4),
        ("texts", [" ".join(f"https://e.example/{n}" for n in range(10))]), ("quiet_from", "25:00"),
        ("quiet_until", ""),
    ]  # fmt: skip
    for field, value in wrong:
        with pytest.raises(Invalid) as refused:
            checking.change(Plan(), {field: value})  # type: ignore[misc]
        assert refused.value.errors[0].field == field, (field, value)


def test_links_become_ours_each_once_and_keep_what_ends_the_sentence() -> None:
    plan = Plan(texts=("See https://e.example/a?b=1, or (http://e.example/b).", "https://e.example/a?b=1 {{name|x}}"))
    links = filling.links_of(plan)
    assert links == ["https://e.example/a?b=1", "http://e.example/b"]
    wording = Wording(plan, "linked", "https://t.example", links)
    assert "See https://t.example/l/abc1, or (https://t.example/l/abc2)." in wording.text(0, {}, "abc")
    # A name is no part of the text, whatever it looks like.
    assert "https://evil.example" in wording.text(1, names("https://evil.example"), "abc")


def test_every_message_leads_out() -> None:
    text, media = Plan(texts=("Hi",), language="tr"), Plan(kind="media", texts=("Hi",), media_url="https://e.example/a")
    buttons = Wording(text, "cloud").content(0, {})
    assert isinstance(buttons, Buttons)
    assert [button.id for button in buttons.buttons] == ["tg:stop"]
    assert all(len(filling.WORDS.of(language)["stop_button"]) <= 20 for language in LANGUAGES)
    plain, shown = Wording(text, "linked").content(0, {}), Wording(media, "cloud").content(0, {})
    assert isinstance(plain, Text)
    assert isinstance(shown, Media)
    assert plain.body == shown.caption == "Hi\n\nSTOP yazın, bir daha yazmayalım."
    template = Plan(kind="template", template_name="t", template_variables=("{{name}}",), template_stop_button=1)
    sent = Wording(template, "cloud").content(0, {})
    assert isinstance(sent, Template)
    assert sent.category == "marketing"
    assert sent.components[0]["parameters"] == [{"type": "text", "text": "-"}]
    assert sent.components[1]["parameters"] == [{"type": "payload", "payload": "tg:stop"}]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(ms(2026, 1, 1) // 60_000, ms(2027, 12, 31) // 60_000),
    st.sampled_from(["Europe/Istanbul", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]),
    st.sampled_from([("21:00", "10:00"), ("00:00", "06:00"), ("22:30", "22:00"), ("13:00", "14:00")]),
)
def test_nobody_is_written_to_in_quiet_hours_whatever_the_clock_does(
    minute: int, place: str, quiet: tuple[str, str]
) -> None:
    plan = Plan(quiet_from=quiet[0], quiet_until=quiet[1])
    at = minute * 60_000
    free = timing.after_quiet(at, plan, place)
    assert free >= at
    assert free - at <= 26 * 3_600_000
    shown = f"{datetime.fromtimestamp(free / 1_000, ZoneInfo(place)):%H:%M}"
    inside = quiet[0] <= shown < quiet[1] if quiet[0] < quiet[1] else shown >= quiet[0] or shown < quiet[1]
    assert not inside or free == at + 3_600_000


def test_a_recipients_clock_counts_where_the_number_has_one() -> None:
    plan = Plan(time_zone="Europe/Istanbul", clock="recipient")
    places = {number: timing.place_of(plan, number) for number in ("905551112233", "493012345678", "12125550100", "7")}
    assert places["905551112233"] == "Europe/Istanbul"
    assert places["493012345678"] == "Europe/Berlin"
    # One that belongs to many zones, or to none, goes by the venue's.
    assert places["7"] == "Europe/Istanbul"
    noon = ms(2026, 7, 1, 12, 0, place="Europe/Istanbul")
    assert timing.begins_for(plan, noon, "Europe/Berlin") == ms(2026, 7, 1, 12, 0, place="Europe/Berlin")
    assert timing.begins_for(plan, noon + 30_500, "Europe/Berlin") == noon + 3_600_000 + 30_500
    assert timing.place_of(Plan(time_zone="UTC"), "905551112233") == "UTC"


def test_a_campaign_begins_within_its_window_and_not_later() -> None:
    plan = Plan(start_window_min=2)
    assert [timing.is_too_late(plan, 1_000, now) for now in (0, 1_000, 121_000, 121_001)] == [False, False, False, True]
    # Equal ends are no quiet hours.
    night = ms(2026, 7, 1, 3, 0)
    assert timing.after_quiet(night, Plan(quiet_from="21:00", quiet_until="21:00"), "UTC") == night
    assert timing.after_quiet(night, Plan(quiet_from="", quiet_until=""), "UTC") == night


def test_a_plan_is_ready_when_what_is_sent_is_there() -> None:
    media = Plan(kind="media", texts=("Hi",))
    for ready in (
        Plan(texts=("Hi",)), Plan(kind="template", template_name="t"), replace(media, image_id="i"),
        replace(media, media_url="https://e.example/a"),
    ):  # fmt: skip
        checking.check_ready(ready)
    missing = {
        "template_name": Plan(kind="template"), "texts": Plan(texts=("Hi", " ")), "media_url": media,
    }  # fmt: skip
    for field, plan in missing.items():
        with pytest.raises(Invalid) as refused:
            checking.check_ready(plan)
        assert refused.value.errors[0].field == field
    assert [Plan().arms, Plan(texts=("a", "b")).arms, Plan(kind="template", texts=("a", "b")).arms] == [1, 2, 1]


def test_the_split_is_stable_and_even() -> None:
    people = [f"contact {number}" for number in range(3_000)]
    arms = [arm_of("one", person, 10, 3) for person in people]
    assert arms == [arm_of("one", person, 10, 3) for person in people]
    assert arms != [arm_of("another", person, 10, 3) for person in people]
    counted = Counter(arms)
    # To the person: a campaign that runs while the product is replaced goes on with the same split.
    assert counted == {HOLDOUT: 278, 0: 877, 1: 916, 2: 929}
    assert {arm_of("one", person, 100, 3) for person in people} == {HOLDOUT}
    assert HOLDOUT not in {arm_of("one", person, 0, 3) for person in people}


_STATES: dict[str, SendState] = {"sent": "sent", "read": "read", "failed": "failed"}


def test_it_stops_when_the_network_the_failures_or_the_customers_say_so() -> None:
    def counts(**states: tuple[int, str, int]) -> list[SendCount]:
        return [
            {"arm": 0, "state": _STATES[state], "reason": reason, "n": n, "replied": 0, "opted_out": out}
            for state, (n, reason, out) in states.items()
        ]

    plan = Plan(max_failed_percent=20, max_opt_out_percent=5)
    limited = network_reason(131048, "line_spam_limited")
    cases: list[tuple[list[SendCount], list[DelayCount], str]] = [
        (counts(sent=(100, "", 5)), [], ""),
        (counts(sent=(100, "", 6)), [], "opt_outs"),
        (counts(read=(10, "", 6)), [], ""),
        (counts(sent=(80, "", 0), failed=(20, "not_on_network", 0)), [], ""),
        (counts(sent=(80, "", 0), failed=(21, "not_on_network", 0)), [], "failures"),
        (counts(sent=(1, "", 0), failed=(ENOUGH - 2, "not_on_network", 0)), [], ""),
        # Who has blocked advertising at the network counts like who says stop.
        (counts(sent=(97, "", 2), failed=(3, BLOCKED, 0)), [], ""),
        (counts(sent=(97, "", 2), failed=(4, BLOCKED, 0)), [], "opt_outs"),
        (counts(failed=(1, limited, 0)), [], "line_limited"),
        (counts(sent=(9, "", 0)), [{"arm": 0, "code": 131048, "n": 1}], "line_limited"),
        (counts(sent=(9, "", 0)), [{"arm": 0, "code": 130429, "n": 5}], ""),
        (counts(failed=(1, network_reason(132015, "template_paused"), 0)), [], "template_refused"),
        (counts(sent=(90, "", 0), failed=(4, network_reason(131049, "marketing_limited"), 0)), [], ""),
        (counts(sent=(90, "", 0), failed=(5, network_reason(131049, "marketing_limited"), 0)), [], "marketing_limited"),
    ]  # fmt: skip
    for number, (by_state, delays, wanted) in enumerate(cases):
        assert judge(plan, by_state, delays) == wanted, number
