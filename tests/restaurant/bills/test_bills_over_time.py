"""A table's bill through anything: ordered, changed, called off, paid in parts and dishes, given back, let off, closed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import func, select

from tablegram.errors import Problem
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.model import Bill, LineShare
from tablegram.restaurant.bills.splitting import Split
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import payments, revising
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import order_payments, tab_payments
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON, priced
from tests.restaurant.orders.placing import placing

WHICH = st.integers(0, 5)
SHARED = Query(
    select(func.sum(order_payments.c.amount).label("n")).where(
        order_payments.c.account_id == 1,
        order_payments.c.tab_payment_id.is_not(None),
        order_payments.c.kind == "payment",
    )
)
TAKEN = Query(
    select(func.sum(tab_payments.c.amount).label("n")).where(
        tab_payments.c.account_id == 1, tab_payments.c.kind == "payment"
    )
)


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class OneBill(RuleBasedStateMachine):
    books: Books

    @initialize(served=st.booleans())
    def sit_down(self, served: bool) -> None:
        self.now = NOON
        # The orders that each payment is for.
        self.paid: dict[str, set[str]] = {}
        self.tab = self.books.do(lambda tx: tabs.join(tx, 1, "v", new_id(), self.now))
        for number in range(3):
            self.order("lentil", number + 1, 333)
            for event in ("finish", "serve") if served else ():
                self.happen(number, event)

    def with_bill(self, work: Any) -> Any:
        self.now += 1

        async def locked(tx: Tx) -> Any:
            return await work(tx, await bills.lock(tx, 1, self.tab))

        return self.books.do(locked)

    @property
    def bill(self) -> Bill:
        async def look(tx: Tx) -> Bill:
            return await bills.look(tx, await bills.find(tx, 1, self.tab))

        found: Bill = self.books.do(look)
        return found

    @rule(dish=st.sampled_from(["tea", "lentil"]), many=st.integers(1, 3), charge=st.sampled_from([0, 333]))
    def order(self, dish: str, many: int, charge: int) -> None:
        self.now += 1
        charges = (Extra("service", "Service", charge),) if charge else ()
        lines = priced(DishLine("tea", 1), DishLine(dish, many, note="hot"))
        made = placing(lines=lines, charges=charges, tab_id=self.tab, table_id="t")
        self.books.do(lambda tx: orders.place(tx, made, self.now))

    @rule(which=WHICH, event=st.sampled_from(["finish", "serve", "serve", "cancel", "pay", "refund", "complete"]))
    def happen(self, which: int, event: Any) -> None:
        order = self.pick(which)
        if order is not None:
            self.now += 1
            self.books.do(lambda tx: orders.happen(tx, 1, order.order_id, event, "staff", "Elif", self.now))

    @rule(which=WHICH, many=st.integers(1, 3))
    def change(self, which: int, many: int) -> None:
        order = self.pick(which)
        if order is not None:
            self.now += 1
            lines = priced(DishLine("tea", many))
            self.books.do(
                lambda tx: revising.revise(
                    tx, 1, order.order_id, lines, order.charges, order.discounts, "Elif", self.now
                )
            )

    @rule(
        how=st.sampled_from(["all", "amount", "order", "line", "parts"]), figure=st.integers(-1, 130), which=WHICH,
        method=st.sampled_from(["cash", "card"]), tip=st.sampled_from([0, 0, 250, -1]),
    )  # fmt: skip
    def take(self, how: str, figure: int, which: int, method: Any, tip: int) -> None:
        order, before = self.pick(which), self.bill
        if order is None:
            return
        split = {
            "all": Split(),
            "amount": Split(amount=before.open * figure // 100),
            "order": Split(orders=(order.id,)),
            "line": Split(lines=(LineShare(order.id, figure % len(order.lines), 1 + figure % 2),)),
            "parts": Split(parts=figure % 5),
        }[how]
        told = self.with_bill(
            lambda tx, bill: bills.take(tx, bill, Taking(method=method, split=split, tip=tip, by="Elif"), self.now)
        )
        after = self.bill
        if isinstance(told, Problem):
            assert after == before
            return
        payment, changes = told
        self.paid[payment.id] = {change.order.id for change in changes}
        assert (payment.amount, after.open) == (before.open - after.open, before.open - payment.amount)
        assert 0 < payment.amount <= before.open
        if how == "amount":
            assert payment.amount == split.amount
        if how == "all" or (how == "parts" and split.parts == 1):
            assert after.open == 0

    @rule(which=WHICH)
    def give_back(self, which: int) -> None:
        before = self.bill
        taken = [one for one in before.payments if one.kind == "payment"]
        if taken:
            one = taken[which % len(taken)]
            refunded = {entry.order.id for entry in before.entries if entry.order.payment_state == "refunded"}
            told = self.with_bill(lambda tx, bill: bills.give_back(tx, bill, one.id, "wrong table", "Elif", self.now))
            # Money of orders may have gone back from their own pages before; a tip never has.
            nothing_left = self.paid[one.id] <= refunded and not one.tip
            assert isinstance(told, Problem) == (one.id in before.given_back or nothing_left)
            # What the bill says of it is what goes back, and nothing is left then.
            rest = one.amount + one.tip - before.went_back[one.id]
            assert rest == (0 if isinstance(told, Problem) else told[0].amount + told[0].tip)
            assert self.bill.went_back[one.id] == one.amount + one.tip

    @rule(
        which=WHICH, percent=st.sampled_from([None, 1_000, 10_000]), amount=st.integers(-1, 9_000), line=st.booleans()
    )
    def let_off(self, which: int, percent: int | None, amount: int, line: bool) -> None:
        order = self.pick(which)
        on: dict[str, Any] = {"order_key": order.id, "line": 0} if line and order is not None else {}
        self.with_bill(
            lambda tx, bill: bills.discount(
                tx, bill, amount=None if percent else amount, percent=percent, reason="late", by="Elif", now=self.now,
                **on,
            )
        )  # fmt: skip

    @rule(which=WHICH)
    def take_discount_back(self, which: int) -> None:
        given = self.bill.discounts
        if given:
            one = given[which % len(given)]
            self.with_bill(lambda tx, bill: bills.take_discount_back(tx, bill, one.id, "Elif", self.now))

    @rule(reason=st.sampled_from(["", "", "walked out"]))
    def close(self, reason: str) -> None:
        before = self.bill
        told = self.with_bill(lambda tx, bill: bills.close(tx, bill, reason, "Elif", self.now))
        if isinstance(told, Problem):
            assert (told.code, self.bill) == ("bill_open", before)
        else:
            assert reason or before.open == 0
            assert self.bill.open == 0
            assert self.bill.tab.state == "closed"

    def pick(self, which: int) -> Order | None:
        entries = self.bill.entries
        return entries[which % len(entries)].order if entries else None

    @invariant()
    def what_is_paid_open_and_lost_is_the_sum(self) -> None:
        if not hasattr(self, "tab"):
            return
        bill = self.bill
        assert bill.paid + bill.open + bill.lost == bill.total == bill.subtotal + bill.charges - bill.let_off
        assert min(bill.paid, bill.open, bill.lost, bill.owed_back, bill.tips) >= 0
        for one in bill.entries:
            assert 0 <= one.went <= one.came
            assert one.came <= one.order.total

            async def rows(tx: Tx, order: Order = one.order) -> list[payments.Payment]:
                return await payments.of_order(tx, order)

            found = self.books.do(rows)
            assert payments.sum_up(found, one.order.total) == one.order.payment_state
            assert (payments.came_in(found), payments.went_back(found)) == (one.came, one.went)

    @invariant()
    def every_payment_of_a_bill_is_the_sum_of_its_parts(self) -> None:
        async def both(tx: Tx) -> tuple[Any, Any]:
            return await tx.first(SHARED, {}), await tx.first(TAKEN, {})

        shared, taken = self.books.do(both)
        assert int(shared["n"] or 0) == int(taken["n"] or 0)


def test_a_bill_is_its_rows_whatever_happens(books: Books) -> None:
    class Machine(OneBill):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(12, 50), stateful_step_count=25, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
