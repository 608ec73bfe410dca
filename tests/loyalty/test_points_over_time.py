"""Points through anything: given, taken, used, given back, gone by, merged; what is kept beside them is what they come to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tablegram.errors import Problem
from tablegram.loyalty import ledger
from tablegram.loyalty.ledger import Cause
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON

WHO = st.integers(0, 1)
POINTS = st.integers(1, 60)


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class Ledger(RuleBasedStateMachine):
    books: Books

    @initialize()
    def begin(self) -> None:
        self.now = NOON
        self.people = [new_id(), new_id()]
        self.causes: list[Cause] = []

    def move(self, who: int, kind: Any, points: int, cause: Cause, **more: Any) -> Any:
        self.now += 1
        work = ledger.add if kind in ("earn", "give_back") else ledger.take
        return self.books.do(lambda tx: work(tx, 1, self.people[who], kind, points, cause, self.now, **more))

    @rule(who=WHO, kind=st.sampled_from(["earn", "give_back"]), points=POINTS, months=st.integers(0, 2))
    def come(self, who: int, kind: str, points: int, months: int) -> None:
        self.causes.append(Cause(name=new_id()))
        self.move(who, kind, points, self.causes[-1], expires_months=months)

    @rule(who=WHO, points=POINTS)
    def come_again(self, who: int, points: int) -> None:
        if self.causes:
            assert self.move(who, "earn", points, self.causes[-1]) is None

    @rule(who=WHO, kind=st.sampled_from(["redeem", "reverse", "adjust"]), points=POINTS)
    def go(self, who: int, kind: str, points: int) -> None:
        before = self.member(who).balance
        told = self.move(who, kind, points, Cause(name=new_id()), all_or_nothing=kind != "reverse")
        if isinstance(told, Problem):
            assert points > before
            assert self.member(who).balance == before
        else:
            assert (-told.points, told.short) == (min(points, before), max(0, points - before))

    @rule(days=st.integers(1, 40), who=WHO)
    def wait(self, days: int, who: int) -> None:
        self.now += days * DAY_MS
        self.books.do(lambda tx: ledger.let_go_by(tx, 1, self.people[who], self.now))

    @rule()
    def become_one(self) -> None:
        before = sum(self.member(who).balance for who in (0, 1))
        self.books.do(lambda tx: ledger.move(tx, 1, self.people[1], self.people[0]))
        assert (self.member(0).balance, self.member(1).balance) == (before, 0)

    def member(self, who: int) -> Any:
        return self.books.do(lambda tx: ledger.member(tx, 1, self.people[who]))

    @invariant()
    def sums_are_what_moved(self) -> None:
        async def both(tx: Tx, contact_id: str) -> tuple[Any, Any]:
            return await ledger.member(tx, 1, contact_id), await ledger.of_contacts(tx, 1, [contact_id])

        for contact_id in self.people:
            member, moved = self.books.do(lambda tx, one=contact_id: both(tx, one))
            assert member.balance == sum(one.points for one in moved) == sum(one.unused for one in moved) >= 0
            assert member.balance == member.given - member.redeemed - member.expired - member.taken
            assert all(0 <= one.unused <= max(0, one.points) for one in moved)


def test_points_are_their_rows_whatever_happens(books: Books) -> None:
    class Machine(Ledger):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(15, 30), stateful_step_count=20, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
