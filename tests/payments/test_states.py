"""Every state of a link meets every event, and money is never forgotten."""

from __future__ import annotations

from typing import get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tablegram.payments.model import STATES, Link, State
from tablegram.payments.states import (
    Accepted,
    Cancelled,
    Declined,
    Event,
    GoneBack,
    Lapsed,
    LinkRefused,
    Opened,
    Paid,
    next_ask,
    step,
)

NOW = 1_800_000_000_000
MINUTE = 60_000
_OPENED = Opened("ref", "https://pay.example/1", NOW + 30 * MINUTE)
_EVENTS: tuple[Event, ...] = (
    _OPENED, LinkRefused("no"), Paid(4_500, "TRY"), Declined(), Lapsed(), Cancelled(), GoneBack(4_500), Accepted("key:1"),
)  # fmt: skip

# What becomes of each state, in the order of the events; the attention follows a colon.
_TABLE: dict[State, str] = {
    "making": "open failed paid making expired cancelled making making",
    "open": "open open paid open expired cancelled open open",
    "paid": "paid paid paid paid paid paid paid paid",
    "expired": "expired expired paid:paid_after_end expired expired expired expired expired",
    "cancelled": "cancelled cancelled paid:paid_after_end cancelled cancelled cancelled cancelled cancelled",
    "failed": "failed failed paid:paid_after_end failed failed failed failed failed",
}


def a_link(state: State = "making") -> Link:
    made = Link(
        account_id=1, id="pay_1", provider_id="ppr_1", mode="test", amount=4_500, currency="TRY", description="Dinner",
        expires_at=NOW + 30 * MINUTE, ask_at=NOW, created_at=NOW, updated_at=NOW,
    )  # fmt: skip
    way: dict[State, tuple[Event, ...]] = {
        "making": (), "open": (_OPENED,), "paid": (_OPENED, Paid(4_500, "TRY")), "expired": (_OPENED, Lapsed()),
        "cancelled": (_OPENED, Cancelled()), "failed": (LinkRefused("no"),),
    }  # fmt: skip
    for event in way[state]:
        made = step(made, event, NOW)
    assert made.state == state
    return made


def test_every_state_meets_every_event() -> None:
    assert {type(event) for event in _EVENTS} == set(get_args(Event))
    assert set(_TABLE) == set(STATES)
    for state, row in _TABLE.items():
        for event, expected in zip(_EVENTS, row.split(), strict=True):
            after = step(a_link(state), event, NOW + 1)
            found = f"{after.state}:{after.attention}" if after.attention else after.state
            assert found == expected, (state, event)


def test_another_amount_or_currency_makes_nothing_paid_and_waits_for_people() -> None:
    for state in ("making", "open", "expired", "cancelled", "failed"):
        other = step(a_link(state), Paid(4_499, "TRY"), NOW)
        assert (other.state, other.attention, other.received) == (state, "amount_differs", 4_499)
        foreign = step(a_link(state), Paid(4_500, "EUR"), NOW)
        assert (foreign.state, foreign.attention, foreign.received_currency) == (state, "currency_differs", "EUR")
        accepted = step(other, Accepted("member:1"), NOW)
        assert (accepted.state, accepted.waits_for_decision, accepted.settled_by) == ("paid", False, "member:1")
        # Another currency is nobody's price: it is settled by hand.
        assert step(foreign, Accepted("member:1"), NOW).state == state
        # What came back whole needs no decision any more.
        assert not step(other, GoneBack(4_499), NOW).waits_for_decision
        assert step(other, GoneBack(1_000), NOW).waits_for_decision


def test_a_link_that_ended_while_it_was_made_is_taken_back_at_the_provider() -> None:
    cancelled = step(a_link("making"), Cancelled(), NOW)
    assert cancelled.ask_at is None, "nobody can pay what the provider has not made"
    late = step(cancelled, _OPENED, NOW + 5)
    assert (late.state, late.reference, late.ask_at) == ("cancelled", "ref", NOW + 5)
    # One that could be paid is taken back there too, unless the provider itself has ended it.
    assert step(a_link("open"), Cancelled(), NOW + 5).ask_at == NOW + 5
    assert step(a_link("open"), Lapsed(at_provider=True), NOW + 5).ask_at is None
    # One that is paid is nobody's question any more, however late the provider names it.
    paid = step(step(a_link("making"), Paid(4_500, "TRY"), NOW), _OPENED, NOW + 5)
    assert (paid.state, paid.reference, paid.ask_at) == ("paid", "ref", None)


def test_no_more_goes_back_than_came() -> None:
    link = a_link("paid")
    for amount, sum_back in ((1_000, 1_000), (4_000, 4_500), (1, 4_500)):
        link = step(link, GoneBack(amount), NOW)
        assert link.refunded == sum_back
    # All of the money of a link that waited went back: letting it be makes nothing paid.
    other = step(a_link("open"), Paid(4_499, "TRY"), NOW)
    assert step(step(other, GoneBack(4_499), NOW), Accepted("member:1"), NOW).state == "open"


def test_open_links_are_asked_about_at_2_10_and_30_minutes_and_hourly() -> None:
    long = msgspec.structs.replace(a_link("open"), expires_at=NOW + 300 * MINUTE)
    at, seen = NOW, []
    for _ in range(6):
        at = next_ask(long, at)
        seen.append((at - NOW) // MINUTE)
    assert seen == [2, 10, 30, 90, 150, 210]
    assert next_ask(long, NOW + 290 * MINUTE) == long.expires_at
    assert next_ask(a_link("open"), NOW + 11 * MINUTE) == NOW + 30 * MINUTE


_ANY = st.one_of(
    st.sampled_from(_EVENTS),
    st.builds(Paid, st.sampled_from([4_500, 4_501, 1]), st.sampled_from(["TRY", "EUR"]), st.sampled_from(["", "p1"])),
    st.builds(GoneBack, st.integers(1, 6_000)),
    st.builds(Lapsed, st.booleans()),
    st.builds(Cancelled, st.booleans()),
)
_RANK = {"making": 0, "open": 1, "failed": 2, "expired": 2, "cancelled": 2, "paid": 3}


@given(st.lists(_ANY, max_size=12))
def test_whatever_happens_in_whatever_order(events: list[Event]) -> None:
    link = a_link()
    first = next((event for event in events if isinstance(event, Paid)), None)
    for number, event in enumerate(events):
        after = step(link, event, NOW + number)
        assert _RANK[after.state] >= _RANK[link.state], "states only move forward"
        assert after.state == link.state or _RANK[after.state] > _RANK[link.state]
        assert 0 <= link.refunded <= after.refunded <= after.received
        assert after.received == link.received or link.received == 0, "a link is paid once"
        assert after.reference == link.reference or link.reference is None
        # The same event again, at once, changes nothing, unless more of the money goes back.
        if not isinstance(event, GoneBack):
            assert step(after, event, NOW + number) is after
        # Money for what had ended, or that is not what was asked for, is people's business.
        if after.received and not link.received:
            right = (after.received, after.received_currency) == (link.amount, link.currency)
            assert bool(after.attention) == (not right or not link.is_alive)
        link = after
    if first is not None:
        assert (link.received, link.received_currency) == (first.amount, first.currency), "money is never forgotten"
        if (first.amount, first.currency) == (link.amount, link.currency):
            assert link.state == "paid"
