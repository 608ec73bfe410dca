"""Message states only move forward, whatever comes, however often, in whatever order, through whatever crash.

The statements are the product's own, on a real database; the rules are those of the specification's decisions:
queued → sent → delivered → read; failed from the first three; failed yields to a later delivered or read.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.databases import Databases
from tests.faults.ledger import EVENTS, FORWARD, REPORTS, Ledger
from tests.long import walks

# How to get to each state from a message that was just stored and is waiting.
PATHS = {
    "queued": (),
    "sent": ("claim", "accepted"),
    "delivered": ("claim", "accepted", "reported_delivered"),
    "read": ("claim", "accepted", "reported_delivered", "reported_read"),
    "failed": ("claim", "refused"),
    "cancelled": ("cancel",),
}
STAYS = "stays"
# Every pair of a state and an event has its line here; what is not defined fails the test below.
NEXT: dict[str, dict[str, str]] = {
    "queued": {
        "accepted": "sent",
        "refused": "failed",
        "delayed": STAYS,
        "delayed_by_line": STAYS,
        "in_doubt": STAYS,
        "cancel": "cancelled",
        "claim": STAYS,
        "give_back": STAYS,
        "crash": STAYS,
        "start": STAYS,
        "reported_sent": "sent",
        "reported_delivered": "delivered",
        "reported_read": "read",
        "reported_failed": "failed",
    },
    "sent": {
        **dict.fromkeys(EVENTS, STAYS),
        "reported_delivered": "delivered",
        "reported_read": "read",
        "reported_failed": "failed",
    },
    "delivered": {**dict.fromkeys(EVENTS, STAYS), "reported_read": "read", "reported_failed": "failed"},
    "read": dict.fromkeys(EVENTS, STAYS),
    "failed": {**dict.fromkeys(EVENTS, STAYS), "reported_delivered": "delivered", "reported_read": "read"},
    "cancelled": {**dict.fromkeys(EVENTS, STAYS), "reported_delivered": "delivered", "reported_read": "read"},
}


@pytest.fixture(scope="module")
def ledger(databases: Databases) -> Iterator[Ledger]:
    url = databases.migrated()
    opened = Ledger(url)
    yield opened
    opened.close()
    databases.drop(url)


def test_every_pair_of_state_and_event_is_defined() -> None:
    assert set(NEXT) == set(FORWARD) == set(PATHS)
    for state, following in NEXT.items():
        assert set(following) == set(EVENTS)
        assert {after for after in following.values() if after != STAYS} <= FORWARD[state]


@pytest.mark.parametrize("state", NEXT)
def test_every_event_does_to_a_state_what_is_defined(ledger: Ledger, state: str) -> None:
    for event, expected in NEXT[state].items():
        key = ledger.insert(1_000, claimed=False)
        for number, step in enumerate(PATHS[state]):
            assert ledger.happen(key, step, 2_000 + number) == 1, (state, step)
        assert ledger.row(key)["state"] == state
        ledger.happen(key, event, 5_000)
        assert ledger.row(key)["state"] == (state if expected == STAYS else expected), (state, event)


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize("state", NEXT)
def test_a_report_that_comes_again_changes_nothing(ledger: Ledger, state: str, report: str) -> None:
    key = ledger.insert(1_000, claimed=False)
    for number, step in enumerate((*PATHS[state], report)):
        ledger.happen(key, step, 2_000 + number)
    before = ledger.row(key)
    assert ledger.happen(key, report, 9_000) == 0
    assert ledger.row(key) == before


def test_a_message_that_may_be_on_its_way_cannot_be_cancelled(ledger: Ledger) -> None:
    for step in ("claim", "in_doubt"):
        key = ledger.insert(1_000, claimed=False)
        ledger.happen(key, step, 2_000)
        assert ledger.happen(key, "cancel", 3_000) == 0
        assert ledger.row(key)["state"] == "queued"


def test_a_doubt_that_the_network_ends_leaves_no_error_behind(ledger: Ledger) -> None:
    key = ledger.insert(1_000, claimed=True)
    ledger.happen(key, "in_doubt", 2_000)
    assert ledger.row(key)["error_code"] == "outcome_unknown"
    ledger.happen(key, "reported_sent", 3_000)
    row = ledger.row(key)
    assert (row["state"], row["error_code"], row["doubt_at"], row["due_at"]) == ("sent", None, None, None)


def test_a_message_delayed_by_its_line_keeps_its_place_in_the_queue(ledger: Ledger) -> None:
    key = ledger.insert(1_000, claimed=True)
    ledger.happen(key, "delayed_by_line", 2_000)
    assert ledger.row(key)["due_at"] == 1_000


@pytest.mark.parametrize("late", ["refused", "delayed", "delayed_by_line", "in_doubt", "give_back"])
def test_who_was_frozen_does_not_decide_over_what_another_has_claimed_since(ledger: Ledger, late: str) -> None:
    key = ledger.insert(1_000, claimed=True)
    ledger.happen(key, "crash", 2_000)
    ledger.happen(key, "claim", 3_000, owner="another process")
    before = ledger.row(key)
    assert ledger.happen(key, late, 4_000) == 0
    assert ledger.row(key) == before
    # That the network took it is true all the same.
    assert ledger.happen(key, "accepted", 5_000) == 1
    assert ledger.row(key)["state"] == "sent"


def test_what_was_not_begun_waits_in_its_old_place_with_its_doubt(ledger: Ledger) -> None:
    key = ledger.insert(1_000, claimed=True)
    ledger.happen(key, "in_doubt", 2_000)
    ledger.happen(key, "claim", 3_000)
    assert ledger.happen(key, "give_back", 4_000) == 1
    row = ledger.row(key)
    assert (row["due_at"], row["doubt_at"], row["claimed_by"], row["attempts"]) == (1_000, 2_000, None, 1)


def test_what_was_claimed_anew_since_is_not_given_back(ledger: Ledger) -> None:
    key = ledger.insert(1_000, claimed=True)
    assert ledger.happen(key, "give_back", 2_000, b_claimed_at=1_000) == 1
    ledger.happen(key, "claim", 3_000)
    # The first word was not heard, and is said again.
    assert ledger.happen(key, "give_back", 4_000, b_claimed_at=1_000) == 0
    assert ledger.row(key)["claimed_at"] == 3_000


class OneMessage(RuleBasedStateMachine):
    """Anything that can happen to a message, in any order and any number of times."""

    ledger: Ledger

    @initialize(claimed=st.booleans())
    def store(self, claimed: bool) -> None:
        # Far enough from the beginning of time for the clock to be set back, again and again.
        self.now = 10**13
        self.key = self.ledger.insert(self.now, claimed=claimed)
        self.before = self.ledger.row(self.key)
        self.last: str | None = None

    def step(self, event: str) -> None:
        self.now += 1
        self.before = self.ledger.row(self.key)
        self.ledger.happen(self.key, event, self.now)
        self.last = event

    @rule(event=st.sampled_from(sorted(EVENTS)))
    def anything_happens(self, event: str) -> None:
        self.step(event)

    @rule(reports=st.permutations(REPORTS[:3]))
    def callbacks_come_in_any_order(self, reports: list[str]) -> None:
        for report in reports:
            self.step(report)
            self.states_only_move_forward()

    @precondition(lambda self: self.last is not None)
    @rule()
    def the_last_thing_happens_again(self) -> None:
        assert self.last is not None
        self.step(self.last)

    @rule(by_ms=st.sampled_from([-86_400_000, -1_000, 60_000, 86_400_000]))
    def the_clock_jumps(self, by_ms: int) -> None:
        self.now += by_ms

    @rule()
    def the_process_dies_and_starts_again(self) -> None:
        self.step("crash")
        self.step("start")

    @invariant()
    def states_only_move_forward(self) -> None:
        if not hasattr(self, "key"):
            return
        row = self.ledger.row(self.key)
        assert row["state"] == self.before["state"] or row["state"] in FORWARD[self.before["state"]]
        for moment in ("sent_at", "delivered_at", "read_at", "failed_at", "network_id"):
            assert self.before[moment] is None or row[moment] == self.before[moment], moment

    @invariant()
    def a_queued_message_is_waiting_or_being_sent_and_never_forgotten(self) -> None:
        if not hasattr(self, "key"):
            return
        row = self.ledger.row(self.key)
        if row["state"] == "queued":
            assert (row["due_at"] is None) != (row["claimed_by"] is None)
        else:
            assert row["due_at"] is None
            assert row["claimed_by"] is None
            assert row["doubt_at"] is None


def test_no_sequence_of_events_moves_a_message_back_or_forgets_it(ledger: Ledger) -> None:
    machine = type("OneMessageHere", (OneMessage,), {"ledger": ledger})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=walks(20, 40), stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
