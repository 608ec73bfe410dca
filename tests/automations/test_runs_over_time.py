"""Runs through anything: begun twice, stepped by several, killed inside and after, paused, changed, opted out in the middle."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import bindparam, select

from tablegram.automations import checking, keeping
from tablegram.automations.model import Automation
from tablegram.automations.states import Event, next_state
from tablegram.automations.store import automations as store
from tablegram.automations.store import runs as run_store
from tablegram.campaigns.audience import Audience
from tablegram.crm import contacts
from tablegram.crm.consent import ledger
from tablegram.crm.store import contacts as contact_store
from tablegram.errors import Conflict
from tablegram.flows.automations.stepping import Stepping
from tablegram.flows.gateway.queueing import Queueing
from tablegram.storage.database import Query, Row, Tx
from tablegram.storage.tables import automation_runs, automation_visits, messages
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.messaging.gateway import Gateway, gateway

DEFINITION = checking.parse({
    "trigger": {"on": "first_message"}, "quiet_from": "", "quiet_until": "", "cap_messages": 0,
    "steps": [
        {"do": "message", "text": "one"}, {"do": "wait", "minutes": 30}, {"do": "message", "text": "two"},
        {"do": "feedback", "text": "How was it?"},
    ],
})  # fmt: skip
WHO, WHICH = st.integers(0, 1), st.integers(0, 1)
KILLS = st.sampled_from(["", "", "inside", "after"])
_RUNS = Query(
    select(automation_runs).where(
        automation_runs.c.automation_id == bindparam("one"), automation_runs.c.account_id == 1
    )
)
_VISITS = Query(
    select(automation_visits).where(
        automation_visits.c.automation_id == bindparam("one"), automation_visits.c.account_id == 1
    )
)
_SENT = Query(select(messages.c.id, messages.c.phone).where(messages.c.account_id == 1, messages.c.direction == "out"))


_NUMBERS = itertools.count(10_000_000)


class Killed(Exception):
    """The process is gone."""


class Stage:
    """A store with a line, for a machine that knows no `await`."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._opened = gateway(url)
        self.one: Gateway = self._runner.run(self._opened.__aenter__())
        self._runner.run(self.one.add_line())

    def run(self, work: Any) -> Any:
        return self._runner.run(work)

    def close(self) -> None:
        self._runner.run(self._opened.__aexit__(None, None, None))
        self._runner.close()


@pytest.fixture(scope="module")
def stage(databases: Databases) -> Iterator[Stage]:
    url = databases.migrated()
    opened = Stage(url)
    yield opened
    opened.close()
    databases.drop(url)


async def _utc(tx: Tx, account_id: int) -> str:
    return "UTC"


class OneFlow(RuleBasedStateMachine):
    stage: Stage

    @initialize()
    def begin(self) -> None:
        one = self.stage.one
        self.db, self.clock = one.db, one.clock
        queue = Queueing(one.card, one.settings, lambda account_id, line_id: None)
        self.stepping = Stepping(queue, Audience([], one.clock, _utc))
        now = self.clock.now_ms()
        self.flow = Automation(
            account_id=1, id=new_id(), name="Flow", state="on", trigger_kind="first_message", version=1, instance_id=None,
            on_since=now, sweep_at=None, created_by="", created_at=now, updated_at=now,
        )  # fmt: skip
        self.people = [new_id(), new_id()]
        self.stale: list[Row] = []
        self.sent = self.stage.run(self.db.all(_SENT))
        self.before: dict[str, Row] = {}
        self.told: set[str] | None = None

        async def work(tx: Tx) -> None:
            await tx.run(store.INSERT, msgspec.structs.asdict(self.flow))
            await keeping.keep_version(tx, self.flow, DEFINITION, "", now)
            for person in self.people:
                await tx.run(
                    contact_store.INSERT, {**contacts.new_contact(1, person, "Ayşe", now), "window_until": None}
                )
                phone = f"9055{next(_NUMBERS):08}"
                await tx.first(
                    contact_store.CLAIM_ALIAS,
                    {"account_id": 1, "kind": "phone", "value": phone, "contact_id": person},
                )

        self.stage.run(self.db.write(work))
        self.consents = ["unknown", "unknown"]
        for who in (0, 1):
            self.says(who, "granted")

    @rule(who=WHO, which=WHICH)
    def happens(self, who: int, which: int) -> None:
        """The same occasion may come any number of times."""
        now = self.clock.now_ms()
        self.stage.run(
            self.db.write(lambda tx: keeping.begin(tx, self.flow, [(self.people[who], f"o{which}", now)], now))
        )

    @rule(minutes=st.sampled_from([1, 31]))
    def time_passes(self, minutes: int) -> None:
        self.clock.advance(60 * minutes)

    @rule(who=WHO, state=st.sampled_from(["granted", "denied"]))
    def says(self, who: int, state: Any) -> None:
        self.clock.advance(0.001)
        word = ledger.Word(
            account_id=1, contact_id=self.people[who], state=state, source="test", at=self.clock.now_ms()
        )
        self.stage.run(self.db.write(lambda tx: ledger.note(tx, [word])))
        self.consents[who] = state

    @rule(event=st.sampled_from(["turn_on", "pause"]))
    def moves(self, event: Event) -> None:
        try:
            after = next_state(self.flow.state, event)
        except Conflict:
            return
        new = {"new_state": after, "new_on_since": self.clock.now_ms(), "new_sweep": None, "now": self.clock.now_ms()}
        which = {"b_account": 1, "b_id": self.flow.id, "b_state": self.flow.state}

        async def move() -> None:
            await self.db.put((store.MOVE, {**which, **new}))

        self.stage.run(move())
        self.flow = msgspec.structs.replace(self.flow, state=after)

    @rule()
    def look(self) -> None:
        """A process reads what is due, and may act on it much later."""
        due = self.stage.run(self.db.all(run_store.DUE, {"now": self.clock.now_ms(), "most": 10_000}))
        # What earlier flows of this store have left is theirs.
        self.stale = [row for row in due if row["automation_id"] == self.flow.id][:10]

    @rule(kill=KILLS, is_backwards=st.booleans())
    def step(self, kill: str, is_backwards: bool) -> None:
        for row in reversed(self.stale) if is_backwards else self.stale:

            async def unit(tx: Tx, row: Row = row) -> None:
                await self.stepping.step(tx, 1, row["automation_id"], row["id"], self.clock.now_ms())
                if kill == "inside":
                    raise Killed

            try:
                self.stage.run(self.db.write(unit))
            except Killed:
                return
            if kill == "after":
                return

    @invariant()
    def holds(self) -> None:
        if not hasattr(self, "flow"):
            return
        which = {"one": self.flow.id}
        runs, visits = self.stage.run(self.db.all(_RUNS, which)), self.stage.run(self.db.all(_VISITS, which))
        sent = [row for row in visits if row["state"] == "sent"]
        assert len({(row["contact_id"], row["occasion"]) for row in runs}) == len(runs)
        # Each message has its step, and each step its message.
        known = {row["id"] for row in self.stage.run(self.db.all(_SENT))} - {row["id"] for row in self.sent}
        assert {row["message_key"] for row in sent} == known
        assert all(count == 1 for count in Counter((row["run_id"], row["step"]) for row in visits).values())
        for row in runs:
            made = sorted(visit["step"] for visit in visits if visit["run_id"] == row["id"])
            assert made == list(range(len(made)))
            assert row["step"] == len(made) if row["state"] == "waiting" else len(made) <= len(DEFINITION.steps)
            old = self.before.get(row["id"])
            assert old is None or (old["step"] <= row["step"] and (old["state"] == "waiting" or old == dict(row)))
        # Who says no gets nothing from then on, and nothing happens while it is paused.
        fresh = [] if self.told is None else [row for row in sent if row["message_key"] not in self.told]
        for row in fresh:
            assert self.consents[self.people.index(row["contact_id"])] == "granted"
            assert self.flow.state == "on"
        self.told = {row["message_key"] for row in sent}
        self.before = {row["id"]: dict(row) for row in runs}


def test_no_kill_and_no_repetition_makes_a_step_twice_or_loses_one(stage: Stage) -> None:
    OneFlow.stage = stage
    run_state_machine_as_test(
        OneFlow,
        settings=settings(
            max_examples=walks(6, 60), stateful_step_count=25, derandomize=True, deadline=None, database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )  # fmt: skip
