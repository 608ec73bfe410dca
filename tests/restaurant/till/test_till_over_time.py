"""The drawer through anything: paid, tipped, given back, put in, paid out, carried, handed in, counted in any order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from sqlalchemy import and_, case, func, select

from tablegram.errors import Problem
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills.keeping import Taking
from tablegram.restaurant.bills.splitting import Split
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.hours import VenueHours
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import payments
from tablegram.restaurant.till import keeping as till
from tablegram.restaurant.till.keeping import Counting
from tablegram.restaurant.till.model import OUT, Count, Till
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import order_payments, tab_payments, till_movements
from tablegram.storage.tables import orders as order_table
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON, priced
from tests.restaurant.orders.placing import placing

ISTANBUL = "Europe/Istanbul"
WHICH = st.integers(0, 9)
m, p, q = till_movements.c, tab_payments.c, order_payments.c


def _paid(venue_id: str) -> tuple[Query, Query]:
    """Cash that the rows of money tell of: of bills with its tips, and of orders alone."""
    of_bills = select(func.sum(case((p.kind == "payment", p.amount + p.tip), else_=-(p.amount + p.tip))).label("n"))
    alone = select(func.sum(case((q.kind == "payment", q.amount), else_=-q.amount)).label("n"))
    return (
        Query(of_bills.where(p.account_id == 1, p.venue_id == venue_id, p.method == "cash")),
        Query(
            alone.join(
                order_table, and_(order_table.c.account_id == q.account_id, order_table.c.id == q.order_key)
            ).where(
                q.account_id == 1,
                order_table.c.account_id == 1,
                order_table.c.venue_id == venue_id,
                q.method == "cash",
                q.state == "succeeded",
                q.tab_payment_id.is_(None),
            )
        ),
    )


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class OneDrawer(RuleBasedStateMachine):
    books: Books

    @initialize()
    def open_up(self) -> None:
        self.now, self.by_hand, self.carried = NOON, 0, 0
        # A drawer of its own for each walk.
        self.venue = Venue(1, new_id(), "Safran", "TRY", ISTANBUL, VenueHours(ISTANBUL, []), "", 1, 1)
        self.tab = self.books.do(lambda tx: tabs.join(tx, 1, self.venue.id, new_id(), self.now))
        self.placed: list[str] = []
        self.counts: list[Count] = []
        self.order(seated=True, by_card=True)
        self.order(seated=False)

    def do(self, work: Any) -> Any:
        self.now += 1
        return self.books.do(work)

    @property
    def till(self) -> Till:
        found: Till = self.books.do(lambda tx: till.look(tx, self.venue))
        return found

    @rule(seated=st.booleans(), by_card=st.booleans())
    def order(self, seated: bool, by_card: bool = False) -> None:
        more = {"tab_id": self.tab, "table_id": "t"} if seated else {}
        made = placing(
            venue_id=self.venue.id,
            payment_method="pos_at_table" if seated and by_card else "cash",
            lines=priced(DishLine("tea", 3)),
            **more,
        )
        placed = self.do(lambda tx: orders.place(tx, made, self.now))
        self.placed.append(placed.order.order_id)

    @rule(which=WHICH, event=st.sampled_from(["pay", "pay", "refund", "cancel"]), carried=st.booleans())
    def happen(self, which: int, event: Any, carried: bool) -> None:
        """Paid at the counter, or into the hand of a courier."""
        number, held = self.placed[which % len(self.placed)], carried and event == "pay"

        async def left(tx: Tx) -> int:
            order = await orders.find(tx, 1, number)
            if order.payment_method != "cash":
                return 0
            return order.total - payments.came_in(await payments.of_order(tx, order))

        owed = self.books.do(left)
        told = self.do(lambda tx: orders.happen(tx, 1, number, event, "staff", "Elif", self.now, in_till=not held))
        if held and not isinstance(told, Problem) and told.changed:
            self.carried += owed

    @rule(method=st.sampled_from(["cash", "cash", "card"]), amount=st.integers(1, 4_000), tip=st.sampled_from([0, 250]))
    def take(self, method: Any, amount: int, tip: int) -> None:
        taking = Taking(method=method, split=Split(amount=amount), tip=tip, by="Elif")

        async def work(tx: Tx) -> Any:
            return await bills.take(tx, await bills.lock(tx, 1, self.tab), taking, self.now)

        self.do(work)

    @rule(which=WHICH)
    def give_back(self, which: int) -> None:
        async def work(tx: Tx) -> Any:
            bill = await bills.lock(tx, 1, self.tab)
            taken = [one for one in bill.payments if one.kind == "payment"]
            if taken:
                await bills.give_back(tx, bill, taken[which % len(taken)].id, "wrong table", "Elif", self.now)

        self.do(work)

    @rule(
        kind=st.sampled_from(["put_in", "paid_out"]), amount=st.integers(-1, 5_000), reason=st.sampled_from(["", "x"])
    )
    def move(self, kind: Any, amount: int, reason: str) -> None:
        told = self.do(lambda tx: till.move(tx, self.venue, kind, amount, reason, "Elif", self.now))
        assert isinstance(told, Problem) == (amount <= 0 or not reason)
        if not isinstance(told, Problem):
            self.by_hand += amount if kind == "put_in" else -amount

    @rule(amount=st.integers(0, 3_000))
    def hand_in(self, amount: int) -> None:
        self.do(
            lambda tx: till.note(
                tx, 1, self.venue.id, "TRY", "handed_in", amount, "Elif", self.now, source=f"shift:{new_id()}"
            )
        )
        self.by_hand += amount

    @rule(
        off=st.sampled_from([0, 0, 0, -7, 5]), stale=st.booleans(), reason=st.sampled_from(["", "a coin fell"]),
        keeps=st.sampled_from([None, 0, 100]),
    )  # fmt: skip
    def count(self, off: int, stale: bool, reason: str, keeps: int | None) -> None:
        before = self.till
        expected = before.sums.expected
        found = expected + off
        counting = Counting(
            counted=found, kept=keeps, reason=reason, by="Elif", expected=expected + 1 if stale else expected
        )
        told = self.do(lambda tx: till.count(tx, self.venue, counting, self.now))
        wrong = found < 0 or (keeps or 0) > found or stale or (off != 0 and not reason)
        assert isinstance(told, Problem) == wrong
        if isinstance(told, Problem):
            assert self.till == before
            return
        assert (told.expected, told.difference, told.number) == (expected, off, len(self.counts) + 1)
        assert self.till.sums.expected == self.till.sums.opening == told.kept
        self.counts.append(told)
        self.every_coin_is_in_the_drawer_or_in_one_count()

    def teardown(self) -> None:
        if hasattr(self, "venue"):
            self.every_coin_is_in_the_drawer_or_in_one_count()

    def every_coin_is_in_the_drawer_or_in_one_count(self) -> None:
        async def read(tx: Tx) -> Any:
            rows = select(till_movements).where(m.account_id == 1, m.venue_id == self.venue.id)
            of_bills, alone = _paid(self.venue.id)
            paid = [await tx.first(one, {}) for one in (of_bills, alone)]
            kept = await till.page(tx, 1, self.venue.id, None, 1_000)
            return await tx.all(Query(rows), {}), sum(int(one["n"] or 0) for one in paid if one), kept

        rows, paid, kept = self.books.do(read)
        # A count that is made stays as it is.
        assert kept == self.counts[::-1]
        flows: dict[str | None, int] = {}
        for row in rows:
            amount = -row["amount"] if row["kind"] in OUT else row["amount"]
            flows[row["count_id"]] = flows.get(row["count_id"], 0) + amount
        assert sum(flows.values()) == paid - self.carried + self.by_hand
        left = 0
        for one in self.counts:
            assert one.opening == left
            assert one.expected - one.opening == flows.pop(one.id, 0)
            left = one.kept
        assert self.till.sums.expected == left + flows.pop(None, 0)
        assert not flows
        for number in self.placed:
            self.nothing_goes_back_that_did_not_come_so(number)

    def nothing_goes_back_that_did_not_come_so(self, number: str) -> None:
        async def read(tx: Tx) -> Any:
            return await payments.of_order(tx, await orders.find(tx, 1, number))

        found = self.books.do(read)
        for method in {one.method for one in found}:
            of_it = [one for one in found if one.method == method]
            assert payments.went_back(of_it) <= payments.came_in(of_it)


def test_cash_is_of_exactly_one_count_whatever_happens(books: Books) -> None:
    class Machine(OneDrawer):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(6, 12), stateful_step_count=20, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
