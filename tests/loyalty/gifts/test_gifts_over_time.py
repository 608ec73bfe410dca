"""Gift cards through anything: what was issued is spent, expired, cancelled or left, and never more than once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tablegram.errors import Problem
from tablegram.loyalty.gifts import keeping, listing
from tablegram.loyalty.gifts.keeping import Spending
from tablegram.loyalty.gifts.model import Gift, Move
from tablegram.storage.database import Tx
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.kept import NOON

WHICH, AMOUNT = st.integers(0, 1), st.integers(1, 60)


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class Cards(RuleBasedStateMachine):
    """Two cards of one house, one of which ends in ten days."""

    books: Books

    @initialize()
    def begin(self) -> None:
        self.now, self.venue = NOON, new_id()
        self.gifts: list[Gift] = []
        # By payment: its card, and how much of it is still taken.
        self.paid: dict[str, tuple[int, int]] = {}
        for ends in (None, NOON + 10 * DAY_MS):
            gift = Gift(
                account_id=1, id=new_id(), code="", venue_id=self.venue, currency="TRY", value=100, paid_by="cash",
                expires_at=ends, created_at=NOON, updated_at=NOON,
            )  # fmt: skip
            self.gifts.append(self.books.do(lambda tx, gift=gift: keeping.issue(tx, gift)))

    async def locked(self, tx: Tx, which: int) -> Gift:
        return await keeping.find(tx, 1, self.gifts[which].id, lock=True)

    @rule(which=WHICH, amount=AMOUNT)
    def redeem(self, which: int, amount: int) -> None:
        spending = Spending(payment_id=new_id(), tab_id="", venue_id=self.venue, amount=amount, by="Elif")

        async def work(tx: Tx) -> Move:
            return await keeping.redeem(tx, await self.locked(tx, which), spending, "TRY", self.now)

        if not isinstance(self.books.do(work), Problem):
            self.paid[spending.payment_id] = which, amount

    @rule(place=st.integers(0, 50), amount=AMOUNT)
    def give_back(self, place: int, amount: int) -> None:
        if not self.paid:
            return
        payment, cause = list(self.paid)[place % len(self.paid)], new_id()
        which, taken = self.paid[payment]
        for again in range(2):
            moved = self.books.do(lambda tx: keeping.give_back(tx, 1, payment, amount, cause, self.now))
            assert (moved is None) == (again == 1 or taken == 0)
        self.paid[payment] = which, taken - min(taken, amount)

    @rule(which=WHICH, pays_back=st.booleans())
    def cancel(self, which: int, pays_back: bool) -> None:
        async def work(tx: Tx) -> Move:
            return await keeping.cancel(tx, await self.locked(tx, which), "Lost", "Elif", self.now, pays_back=pays_back)

        self.books.do(work)

    @rule(days=st.integers(0, 20))
    def time_goes_by(self, days: int) -> None:
        self.now += days * DAY_MS

        async def work(tx: Tx) -> None:
            for which in range(2):
                await keeping.let_expire(tx, await self.locked(tx, which), self.now)

        self.books.do(work)

    @invariant()
    def what_was_issued_is_somewhere(self) -> None:
        async def look(tx: Tx) -> list[tuple[Gift, list[Move]]]:
            return [(await keeping.find(tx, 1, one.id), await keeping.moves(tx, 1, one.id)) for one in self.gifts]

        found = self.books.do(look)
        for which, (gift, moves) in enumerate(found):
            assert gift.balance == sum(one.amount for one in moves) == moves[-1].balance >= 0
            assert gift.spent == sum(taken for card, taken in self.paid.values() if card == which)
            assert gift.balance + gift.spent + gift.expired + gift.cancelled == gift.value == 100
            assert len({one.cause for one in moves}) == len(moves)
        sold = self.books.do(lambda tx: listing.sold(tx, 1, self.venue, "TRY", NOON, self.now + 1))
        assert sold.amount == sum(one.money for _, moves in found for one in moves) >= 0


def test_value_is_never_lost_and_never_spent_twice_whatever_happens(books: Books) -> None:
    class Machine(Cards):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(12, 200), stateful_step_count=20, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
