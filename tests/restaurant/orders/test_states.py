"""Every (state, event) pair, and the life of orders as a whole."""

from __future__ import annotations

from itertools import product
from typing import get_args

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tablegram.restaurant.orders.states import (
    CLOSED,
    DEAD,
    ORDER_TYPES,
    PAYMENT_TABLE,
    STATES,
    TABLE,
    Actor,
    Event,
    Moved,
    OrderRefusal,
    OrderStanding,
    PaymentMethod,
    PaymentState,
    first_standing,
    move,
)
from tests.long import many

EVENTS: tuple[Event, ...] = get_args(Event)
PAYMENT_STATES: tuple[PaymentState, ...] = get_args(PaymentState)
PAYMENT_METHODS: tuple[PaymentMethod, ...] = get_args(PaymentMethod)
ACTORS: tuple[Actor, ...] = get_args(Actor)
MONEY = ("send_link", "pay", "fail_payment", "refund", "refund_part", "take", "take_back", "discount", "pay_gift")


def test_the_states_are_those_that_were_decided() -> None:
    assert STATES == (
        "awaiting_confirmation", "awaiting_payment", "sent_to_kitchen", "preparing", "ready", "served", "picked_up",
        "out_for_delivery", "delivered", "completed", "cancelled", "rejected", "expired",
    )  # fmt: skip
    assert ORDER_TYPES == ("dine_in", "takeaway", "delivery")
    assert PAYMENT_METHODS == ("pos_at_table", "cash", "card_on_delivery", "online_card")


def test_every_pair_is_in_the_table_and_nothing_else_is() -> None:
    assert set(TABLE) == set(product(STATES, EVENTS))
    assert set(TABLE.values()) <= {*STATES, "=", ".", "gate"}
    assert set(PAYMENT_TABLE) == set(product(PAYMENT_STATES, MONEY))
    assert set(PAYMENT_TABLE.values()) <= {*PAYMENT_STATES, "=", ".", "sum"}


def test_every_pair_is_allowed_or_refused_for_everybody_and_every_kind_of_order() -> None:
    for state, event, actor, kind, method, paid, total in product(
        STATES, EVENTS, ACTORS, ORDER_TYPES, PAYMENT_METHODS, PAYMENT_STATES, (0, 500)
    ):
        now = OrderStanding(state, paid, kind, method, total)
        answer = move(now, event, actor, payment_method="cash", total=total)
        if TABLE[state, event] == ".":
            assert isinstance(answer, OrderRefusal)
        if isinstance(answer, OrderRefusal):
            assert answer.code
            assert answer.detail.endswith(".")
        else:
            assert answer.changed or answer.standing == now


def test_every_state_can_be_reached_and_every_open_one_left() -> None:
    reached = {cell for cell in TABLE.values() if cell in STATES} | {
        "awaiting_confirmation",
        "awaiting_payment",
        "sent_to_kitchen",
    }
    assert reached == set(STATES)
    for state in STATES:
        leaves = {TABLE[state, event] for event in EVENTS} - {"=", ".", state}
        assert bool(leaves) == (state not in CLOSED)


@pytest.mark.parametrize(
    ("by_itself", "method", "total", "state"),
    [
        (True, "pos_at_table", 500, "sent_to_kitchen"),
        (True, "online_card", 500, "awaiting_payment"),
        (True, "online_card", 0, "sent_to_kitchen"),
        (False, "cash", 500, "awaiting_confirmation"),
        (False, "online_card", 500, "awaiting_confirmation"),
    ],
)
def test_where_an_order_begins(by_itself: bool, method: str, total: int, state: str) -> None:
    begun = first_standing("dine_in", method, total, accepts_by_itself=by_itself)  # type: ignore[arg-type]
    assert begun.state == state


def _moved(answer: Moved | OrderRefusal) -> Moved:
    assert isinstance(answer, Moved), answer
    return answer


def test_an_online_order_reaches_the_kitchen_with_the_money_and_only_once() -> None:
    begun = first_standing("delivery", "online_card", 500, accepts_by_itself=False)
    accepted = _moved(move(begun, "accept", "staff"))
    assert (accepted.standing.state, accepted.enters_kitchen) == ("awaiting_payment", False)
    paid = _moved(move(_moved(move(accepted.standing, "send_link", "clock")).standing, "pay", "provider"))
    assert (paid.standing.state, paid.standing.payment_state, paid.enters_kitchen) == ("sent_to_kitchen", "paid", True)
    again = _moved(move(paid.standing, "pay", "provider"))
    assert (again.changed, again.enters_kitchen) == (False, False)


@pytest.mark.parametrize("state", sorted(DEAD))
def test_money_for_an_order_that_is_no_more_is_flagged_and_never_cooked(state: str) -> None:
    gone = OrderStanding(state, "link_sent", "delivery", "online_card", 500)  # type: ignore[arg-type]
    paid = _moved(move(gone, "pay", "provider"))
    assert (paid.standing.state, paid.needs_refund, paid.enters_kitchen) == (state, True, False)
    assert not _moved(move(paid.standing, "pay", "provider")).needs_refund


def test_a_guest_may_cancel_until_the_kitchen_has_begun_and_staff_at_any_time() -> None:
    for state in STATES:
        now = OrderStanding(state, "unpaid", "dine_in", "cash", 500)
        early = state in ("awaiting_confirmation", "awaiting_payment", "sent_to_kitchen")
        assert isinstance(move(now, "cancel", "guest"), Moved) == early
        assert isinstance(move(now, "cancel", "staff"), Moved) == (state not in CLOSED)


def test_each_kind_of_order_leaves_the_kitchen_its_own_way() -> None:
    for kind, event in product(ORDER_TYPES, ("serve", "pick_up", "dispatch")):
        fits = {"serve": "dine_in", "pick_up": "takeaway", "dispatch": "delivery"}[event] == kind
        assert isinstance(move(OrderStanding("ready", "unpaid", kind, "cash", 1), event, "staff"), Moved) == fits  # type: ignore[arg-type]


def test_a_total_that_was_asked_for_or_paid_is_not_changed() -> None:
    for paid in PAYMENT_STATES:
        now = OrderStanding("preparing", paid, "dine_in", "cash", 500)
        assert isinstance(move(now, "revise", "staff", total=600), Moved) == (paid in ("unpaid", "failed"))
        assert isinstance(move(now, "revise", "staff", total=500), Moved)


def test_staff_cannot_say_that_it_was_paid_online() -> None:
    waiting = OrderStanding("awaiting_payment", "link_sent", "takeaway", "online_card", 500)
    assert isinstance(move(waiting, "pay", "staff"), OrderRefusal)
    assert _moved(move(waiting, "pay", "provider")).enters_kitchen
    instead = _moved(move(waiting, "pay_in_person", "staff", payment_method="cash"))
    assert (instead.enters_kitchen, instead.standing.payment_state) == (True, "unpaid")


def test_an_order_that_costs_nothing_any_more_waits_for_no_money() -> None:
    waiting = OrderStanding("awaiting_payment", "unpaid", "takeaway", "online_card", 500)
    free = _moved(move(waiting, "revise", "staff", total=0))
    assert (free.standing.state, free.enters_kitchen) == ("sent_to_kitchen", True)


def test_money_against_a_bill_leaves_an_order_where_it_is_and_says_what_came_together() -> None:
    served = OrderStanding("served", "unpaid", "dine_in", "cash", 500)
    part = _moved(move(served, "take", "staff", payment_state="partly_paid")).standing
    assert (part.state, part.payment_state, part.is_settled) == ("served", "partly_paid", False)
    assert move(part, "complete", "staff") == OrderRefusal("not_paid", "The order is not paid. Note the payment first.")
    assert isinstance(move(part, "revise", "staff", total=400), OrderRefusal)
    less = _moved(move(part, "discount", "staff", total=300, payment_state="paid")).standing
    assert (less.total, less.payment_state) == (300, "paid")
    assert _moved(move(less, "take_back", "staff", payment_state="unpaid")).standing.payment_state == "unpaid"
    for who in ("guest", "clock", "provider"):
        for event in ("take", "take_back", "discount", "write_off"):
            assert isinstance(move(part, event, who), OrderRefusal)


def test_what_is_written_off_is_over_and_stays_unpaid() -> None:
    for paid in ("unpaid", "partly_paid"):
        gone = _moved(move(OrderStanding("served", paid, "dine_in", "cash", 500), "write_off", "staff")).standing
        assert (gone.state, gone.payment_state) == ("completed", paid)
    assert isinstance(move(OrderStanding("served", "paid", "dine_in", "cash", 500), "write_off", "staff"), OrderRefusal)
    assert isinstance(
        move(OrderStanding("preparing", "unpaid", "dine_in", "cash", 500), "write_off", "staff"), OrderRefusal
    )


class Life(RuleBasedStateMachine):
    """Anything happens to an order, in any order."""

    @initialize(
        kind=st.sampled_from(ORDER_TYPES), method=st.sampled_from(PAYMENT_METHODS), by_itself=st.booleans(),
        total=st.sampled_from([0, 500]),
    )  # fmt: skip
    def begin(self, kind: str, method: str, by_itself: bool, total: int) -> None:
        self.now = first_standing(kind, method, total, accepts_by_itself=by_itself)  # type: ignore[arg-type]
        self.kitchen = int(self.now.state == "sent_to_kitchen")

    @rule(
        event=st.sampled_from(EVENTS), by=st.sampled_from(ACTORS), total=st.sampled_from([0, 500, 700]),
        method=st.sampled_from([None, *PAYMENT_METHODS]), paid=st.sampled_from(["partly_paid", "paid", "unpaid"]),
    )  # fmt: skip
    def happen(self, event: str, by: str, total: int, method: str | None, paid: str) -> None:
        before = self.now
        answer = move(before, event, by, payment_method=method, total=total, payment_state=paid)  # type: ignore[arg-type]
        if isinstance(answer, OrderRefusal):
            return
        self.now = answer.standing
        self.kitchen += answer.enters_kitchen
        if before.state in CLOSED:
            assert self.now.state == before.state
        if not answer.changed:
            assert self.now == before
        # What is paid online is not cooked before the money has come.
        if answer.enters_kitchen and self.now.payment_method == "online_card":
            assert self.now.payment_state == "paid" or self.now.total == 0
        assert self.now.order_type == before.order_type

    @invariant()
    def the_kitchen_hears_once(self) -> None:
        if hasattr(self, "now"):
            assert self.kitchen <= 1
            cooked = (
                "sent_to_kitchen",
                "preparing",
                "ready",
                "served",
                "picked_up",
                "out_for_delivery",
                "delivered",
                "completed",
            )
            assert self.now.state not in cooked or self.kitchen == 1

    @invariant()
    def what_waits_for_money_has_none(self) -> None:
        if hasattr(self, "now") and self.now.state == "awaiting_payment":
            assert self.now.payment_method == "online_card"
            assert not self.now.is_settled

    @invariant()
    def it_can_be_stored(self) -> None:
        if hasattr(self, "now"):
            assert msgspec.convert(msgspec.to_builtins(self.now), OrderStanding) == self.now


Life.TestCase.settings = settings(max_examples=many(25, 80), stateful_step_count=30, deadline=None)
TestLife = Life.TestCase
