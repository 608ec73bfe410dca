"""Carts of one table through anything: changed, sent and sent again, taken along, left until they expire."""

from __future__ import annotations

import collections
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tablegram.errors import Problem
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.carts.keeping import FRESH_MS, LIVES_MS, Cart
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import Placed
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON, priced
from tests.restaurant.orders.placing import placing

GUESTS = st.integers(min_value=0, max_value=2)
LINES = st.lists(st.builds(DishLine, st.sampled_from(["tea", "lentil"]), st.integers(1, 3)), max_size=3)


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class OneTable(RuleBasedStateMachine):
    books: Books

    @initialize()
    def sit_down(self) -> None:
        self.now = NOON
        self.table = new_id()
        self.held: list[tuple[str, str]] = []
        self.last: dict[str, Cart] = {}
        # By the cart's code, the number of its order.
        self.orders: dict[str, str] = {}
        for _ in range(3):
            cart, holder = self.books.do(self._open)
            self.held.append((cart.code, holder))
            self.last[cart.code] = cart

    async def _open(self, tx: Tx) -> tuple[Cart, str]:
        tab = await tabs.join(tx, 1, "v", self.table, self.now)
        return await carts.open_cart(
            tx, 1, "v", "dine_in", "en", self.now, table_id=self.table, tab_id=tab, is_signed=True
        )

    @rule(guest=GUESTS, lines=LINES, wrong=st.sampled_from(["", "", "", "stale", "thief"]))
    def change(self, guest: int, lines: list[DishLine], wrong: str) -> None:
        code, holder = self.held[guest]
        secret = self.held[guest - 1][1] if wrong == "thief" else holder
        revision = self.last[code].revision - (wrong == "stale")
        done = self.books.do(lambda tx: carts.change(tx, 1, code, secret, self.now, lines=lines, revision=revision))
        assert isinstance(done, Problem) == (bool(wrong) or not self.last[code].is_open(self.now))

    @rule(guest=GUESTS, times=st.integers(1, 3))
    def send(self, guest: int, times: int) -> None:
        """Its text arrives, maybe more than once."""
        code = self.held[guest][0]

        async def work(tx: Tx) -> Placed:
            cart = await carts.lock(tx, 1, code)
            return await orders.place(tx, placing(lines=priced(*cart.lines)), self.now, cart)

        for _ in range(times):
            cart = self.last[code]
            done = self.books.do(work)
            if code in self.orders:
                assert (done.order.order_id, done.is_new) == (self.orders[code], False)
            elif cart.is_open(self.now) and cart.lines:
                assert done.is_new
                self.orders[code] = done.order.order_id
            else:
                assert isinstance(done, Problem)

    @rule(guest=GUESTS)
    def gather(self, guest: int) -> None:
        code, holder = self.held[guest]
        together = collections.Counter[str]()
        for one in self.last.values():
            if (
                one.is_open(self.now)
                and one.tab_id == self.last[code].tab_id
                and (one.code == code or self.is_fresh(one))
            ):
                together.update({line.item_id: line.quantity for line in one.lines})
        done = self.books.do(lambda tx: carts.bring_together(tx, 1, code, holder, self.now))
        if self.last[code].is_open(self.now):
            assert collections.Counter({line.item_id: line.quantity for line in done.lines}) == together
            for other, before in self.last.items():
                if other != code and before.is_open(self.now) and before.tab_id == done.tab_id:
                    left = () if self.is_fresh(before) else before.lines
                    assert self.books.do(lambda tx, other=other: carts.find(tx, 1, other)).lines == left
        else:
            assert isinstance(done, Problem)

    def is_fresh(self, cart: Cart) -> bool:
        return self.now - cart.updated_at < FRESH_MS

    @rule(ms=st.sampled_from([1, 60_000, LIVES_MS // 2, LIVES_MS]))
    def time_passes(self, ms: int) -> None:
        self.now += ms

    @rule()
    def clear_up(self) -> None:
        self.books.do(lambda tx: carts.expire_due(tx, self.now))

    @rule()
    def leave(self) -> None:
        async def go(tx: Tx) -> None:
            tab = await bills.open_at(tx, 1, self.table)
            if tab is not None:
                await bills.close(tx, await bills.lock(tx, 1, tab.id), "walked out", "Elif", self.now)

        self.books.do(go)

    @invariant()
    def nothing_goes_back(self) -> None:
        for code in getattr(self, "last", ()):
            before, after = self.last[code], self.books.do(lambda tx, code=code: carts.find(tx, 1, code))
            assert after.revision >= before.revision
            if before.state != "open":
                assert (after.state, after.lines) == (before.state, before.lines)
            assert (after.state == "ordered") == (code in self.orders)
            self.last[code] = after

    @invariant()
    def every_order_has_its_own_number(self) -> None:
        if hasattr(self, "orders"):
            assert len(set(self.orders.values())) == len(self.orders)


def test_a_table_orders_each_cart_once_whatever_happens(books: Books) -> None:
    class Machine(OneTable):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(15, 40), stateful_step_count=20, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
