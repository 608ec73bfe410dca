"""The links of a bill through anything: asked for, paid, paid again, late, taken back, refunded, while cash is taken, dishes
are called off and let off, and guests move and go.

Open links never ask for more than is open, and what came by one is the bill's once, or waits for people, or has gone back.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.payments.model import Link
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills.model import Bill
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tests.databases import Databases
from tests.long import walks
from tests.payments.gate.test_gate_over_time import Books
from tests.payments.tabs.test_tab_links import Table

_names = itertools.count()


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class OneBill(RuleBasedStateMachine):
    books: Books

    @initialize(serve=st.booleans())
    def sit_down(self, serve: bool) -> None:
        one = self.books.one
        one.till.is_down = False
        one.clock.at_ms = self.books.begun_at = self.books.begun_at + 2 * DAY_MS
        self.known = {link.id for link in self.books.do(one.links())}
        self.table = Table(one)
        for left in self.books.do(self.services.bills.seated(self.owner, one.house.venue.id)).values():
            self.do(self.services.bills.close(self.owner, left.tab_id, "the next begin"))
        self.place = "5"
        self.orders: list[str] = []
        for dishes in (("Lahmacun", "Künefe"), ("Künefe",)):
            self.order(dishes, serve)

    def order(self, dishes: tuple[str, ...], serve: bool) -> None:
        made = self.do(self.table.order(*dishes, serve=serve, table=self.place))
        assert isinstance(made, str), made
        self.orders.append(made)

    @rule(many=st.integers(1, 2), serve=st.booleans())
    def order_more(self, many: int, serve: bool) -> None:
        if self.bill.tab.state == "open":
            self.order(("Lahmacun",) * many, serve)

    @rule(
        parts=st.sampled_from([None, 1, 2, 3]),
        percent=st.integers(0, 130),
        guest=st.booleans(),
        tip=st.sampled_from([0, 15]),
    )
    def ask(self, parts: int | None, percent: int, guest: bool, tip: int) -> None:
        amount = None if parts or percent > 100 else self.bill.open * percent // 100
        wanted: dict[str, Any] = {"parts": parts, "amount": amount}
        if guest:
            self.do(self.table.pay(next(_names), **wanted, tip_percent=tip))
        else:
            self.do(self.table.ask(**{**wanted, "amount": None if amount is None else amount / 100}))

    @rule(which=st.integers(0, 5), again=st.booleans(), late=st.booleans())
    def pay(self, which: int, again: bool, late: bool) -> None:
        links = [one for one in self.links if one.reference is not None]
        if not links or links[which % len(links)].id in self.books.one.till.cancelled:
            return
        link = links[which % len(links)]
        self.books.one.till.paid.setdefault(link.id, link.amount)
        for _ in range(0 if late else 2 if again else 1):
            self.do(self.books.one.signal(link, f"tab-signal-{next(_names)}"))

    @rule(percent=st.integers(1, 100))
    def cash(self, percent: int) -> None:
        self.do(self.table.take(amount=(self.bill.open * percent // 100) / 100))

    @rule(which=st.integers(0, 5), action=st.sampled_from(["finish", "serve", "serve", "cancel", "send_link"]))
    def staff(self, which: int, action: str) -> None:
        self.do(self.books.one.house.act(self.orders[which % len(self.orders)], action, "owner"))

    @rule(which=st.integers(0, 5), amount=st.sampled_from([None, 40]))
    def refund(self, which: int, amount: int | None) -> None:
        one = self.books.one
        if self.links:
            link = self.links[which % len(self.links)]
            now = one.clock.now_ms()

            async def give() -> None:
                made = await one.db.write(lambda tx: one.payments.refund(tx, 1, link.id, now, amount=amount))
                await one.caretaker.hurry_refund(1, made.id)

            self.do(give())

    @rule(which=st.integers(0, 5))
    def give_back(self, which: int) -> None:
        taken = [one for one in self.bill.payments if one.kind == "payment"]
        if taken:
            payment = taken[which % len(taken)].id
            self.do(self.services.bills.give_back(self.owner, self.table.tab_id, payment, "why", Call("back")))

    @rule(percent=st.sampled_from([10.0, 100.0]))
    def let_off(self, percent: float) -> None:
        fields = {"percent": percent, "reason": "late"}
        self.do(self.services.bills.discount(self.owner, self.table.tab_id, fields, Call("discount")))

    @rule(reason=st.sampled_from(["", "walked out"]))
    def close(self, reason: str) -> None:
        self.do(self.services.bills.close(self.owner, self.table.tab_id, reason))

    @rule()
    def move(self) -> None:
        there = "7" if self.place == "5" else "5"
        one = self.books.one
        table = self.books.do(one.house.table(there))
        if self.bill.tab.state == "open":
            told = self.do(self.services.bills.move(self.owner, self.table.tab_id, table.id, Call("move")))
            if not isinstance(told, Problem):
                self.table.tab_id, self.place = told.value.id, there

    @rule(minutes=st.sampled_from([3, 31]), down=st.booleans())
    def time_passes(self, minutes: int, down: bool) -> None:
        one = self.books.one
        one.till.is_down = down
        one.clock.advance(minutes * 60)
        self.do(one.drain())

    # What holds.

    @invariant()
    def links_never_ask_for_more_than_is_open(self) -> None:
        if not hasattr(self, "table"):
            return
        bill = self.bill
        assert bill.paid + bill.open + bill.lost == bill.total
        assert min(bill.paid, bill.open, bill.lost, bill.owed_back) >= 0
        on_it = {bill.tab.id, *(one.order.id for one in bill.counted)}
        alive = [one for one in self.links if one.is_alive and not one.received and one.subject_key in on_it]
        assert sum(one.owed for one in alive) <= bill.open

    @invariant()
    def what_came_is_the_bills_once_or_waits_or_went_back(self) -> None:
        if not hasattr(self, "table"):
            return
        bill = self.bill
        booked = [one.reference for one in bill.payments if one.kind == "payment" and one.reference]
        assert len(booked) == len(set(booked))
        for link in self.links:
            if link.subject_kind == "tab" and link.received > link.refunded:
                assert link.waits_for_decision or link.id in booked
        went = {link.id: link.refunded for link in self.links}
        back = sum(one.amount + one.tip for one in bill.payments if one.kind == "refund" and one.method == "online")
        assert back == sum(went.get(one, 0) for one in booked)

    # Inside.

    @property
    def services(self) -> Any:
        return self.table.services

    @property
    def owner(self) -> Any:
        return self.table.owner

    def do(self, work: Any) -> Any:
        self.books.one.clock.advance(1)
        done = self.books.do(work)
        self.books.do(self.books.one.settle())
        return done

    @property
    def bill(self) -> Bill:
        async def look(tx: Tx) -> Bill:
            return await bills.look(tx, await bills.find(tx, 1, self.table.tab_id))

        found: Bill = self.books.do(self.books.one.db.snapshot(look))
        return found

    @property
    def links(self) -> list[Link]:
        return [one for one in self.books.do(self.books.one.links()) if one.id not in self.known]


def test_whatever_happens_links_of_a_bill_never_bring_more_than_is_owed(books: Books) -> None:
    machine = type("OneBillHere", (OneBill,), {"books": books})
    given = settings(
        max_examples=walks(7, 15), stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck),
        derandomize=True, phases=[Phase.generate],
    )  # fmt: skip
    run_state_machine_as_test(machine, settings=given)
