"""Coupons and points through anything that happens to orders: none is used twice, none is lost, no limit is passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tablegram.errors import Problem
from tablegram.loyalty import coupons, ledger, redeeming
from tablegram.loyalty.coupons import Coupon
from tablegram.loyalty.ledger import Cause
from tablegram.loyalty.redeeming import Redemption
from tablegram.storage.database import Tx
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON

WHO, ORDER = st.integers(0, 1), st.integers(0, 3)


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class Redeeming(RuleBasedStateMachine):
    """Two guests, four orders, one coupon that holds twice for a guest and three times in all, and points."""

    books: Books

    @initialize()
    def begin(self) -> None:
        self.now = NOON
        self.people, self.orders = [new_id(), new_id()], [new_id() for _ in range(4)]
        self.redemptions: list[str] = []
        self.brought = [0, 0]
        code = coupons.new_code()
        self.coupon = Coupon(
            account_id=1, id=new_id(), code=coupons.fold_code(code), shown_code=code, name="Ten", gives="percent",
            percent=1_000, per_person=2, in_all=3, created_at=NOON, updated_at=NOON,
        )  # fmt: skip
        self.books.do(lambda tx: coupons.make(tx, self.coupon))

    def wish(self, who: int, order: int, points: int) -> Redemption:
        self.now += 1
        return Redemption(
            account_id=1, id=new_id(), kind="points" if points else "coupon", contact_id=self.people[who],
            coupon_id=None if points else self.coupon.id, order_key=self.orders[order], points=points,
            amount=(points or 10) * 10, currency="TRY", name="Ten", created_at=self.now, updated_at=self.now,
        )  # fmt: skip

    @rule(who=WHO, points=st.integers(1, 50))
    def earn(self, who: int, points: int) -> None:
        self.now += 1
        self.brought[who] += points
        cause = Cause(name=new_id())
        self.books.do(lambda tx: ledger.add(tx, 1, self.people[who], "earn", points, cause, self.now))

    @rule(who=WHO, order=ORDER, points=st.sampled_from([0, 0, 5, 30]))
    def hold(self, who: int, order: int, points: int) -> None:
        made = self.wish(who, order, points)
        if not isinstance(self.books.do(lambda tx: redeeming.hold(tx, made, self.now)), Problem):
            self.redemptions.append(made.id)

    @rule(who=WHO, order=ORDER)
    def choose(self, who: int, order: int) -> None:
        made = self.wish(who, order, 0)
        self.books.do(lambda tx: redeeming.choose(tx, made))
        self.books.do(lambda tx: redeeming.unchoose(tx, 1, self.people[who], self.now))

    @rule(order=ORDER)
    def finish(self, order: int) -> None:
        self.books.do(lambda tx: redeeming.finish(tx, 1, self.orders[order], self.now))

    @rule(place=st.integers(0, 50))
    def give_back(self, place: int) -> None:
        if self.redemptions:
            which = self.redemptions[place % len(self.redemptions)]
            for _ in range(2):
                self.books.do(lambda tx: redeeming.give_back(tx, 1, which, self.now))

    @rule(place=st.integers(0, 50), amount=st.integers(0, 300))
    def shrink(self, place: int, amount: int) -> None:
        if self.redemptions:
            which = self.redemptions[place % len(self.redemptions)]
            for _ in range(2):
                self.books.do(lambda tx: redeeming.shrink(tx, 1, which, amount, self.now))

    @invariant()
    def nothing_is_used_twice_or_lost(self) -> None:
        async def look(tx: Tx) -> tuple[Any, list[Redemption], list[Any]]:
            found = [await redeeming.find(tx, 1, one) for one in self.redemptions]
            members = [await ledger.member(tx, 1, one) for one in self.people]
            return await coupons.find(tx, 1, self.coupon.id), found, members

        coupon, found, members = self.books.do(look)
        used = [one for one in found if one.state in ("held", "final")]
        of_coupon = [one for one in used if one.coupon_id]
        assert coupon.used == len(of_coupon) <= 3
        for who, member in zip(self.people, members, strict=True):
            mine = [one for one in of_coupon if one.contact_id == who]
            assert len({one.turn for one in mine}) == len(mine) <= 2
            held = sum(one.points for one in used if one.contact_id == who)
            assert member.balance == self.brought[self.people.index(who)] - held >= 0
            assert member.redeemed == held
        assert len({(one.order_key, one.kind) for one in used}) == len(used)


def test_nothing_is_redeemed_twice_or_lost_whatever_happens(books: Books) -> None:
    class Machine(Redeeming):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(12, 25), stateful_step_count=20, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
