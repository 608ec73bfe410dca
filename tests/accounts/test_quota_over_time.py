"""Charges, refunds, corrections and payments in any order, repeated at will: the books always balance."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import uvloop
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlalchemy import bindparam

from tablegram.accounts.accounts import Plan
from tablegram.accounts.money import quota
from tablegram.accounts.money.purse import Purse
from tablegram.errors import QuotaExhausted
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import charges
from tests.accounts.opened import Opened, opened
from tests.long import walks

BOOKS = Query(charges.select().where(charges.c.account_id == bindparam("account_id")))
FREE_MESSAGES = 3

messages = st.sampled_from([f"m{number}" for number in range(6)])
amounts = st.sampled_from([0, 1, 5, 7, 20])
numbers = itertools.count(1)


class Books(RuleBasedStateMachine):
    def __init__(self, runner: asyncio.Runner, house: Opened) -> None:
        super().__init__()
        self.runner = runner
        self.house = house
        self.account = runner.run(house.accounts.create(f"account {next(numbers)}", "small"))
        self.charged: dict[str, int] = {}
        self.paid_in: dict[str, int] = {}

    def write(self, function: Any, *arguments: Any) -> Any:
        return self.runner.run(self.house.db.write(lambda tx: function(tx, self.account.id, *arguments)))

    def state(self) -> quota.QuotaState:
        return self.runner.run(quota.quota_state(self.house.db, self.account.id, self.house.clock.now_ms(), True))

    def books(self) -> list[tuple[str, str, int]]:
        rows = self.runner.run(self.house.db.all(BOOKS, {"account_id": self.account.id}))
        return [(row["message_key"], row["kind"], row["amount_micros"]) for row in rows]

    @rule(message=messages, cost=amounts)
    def charge(self, message: str, cost: int) -> None:
        before = self.state()
        try:
            charged = self.write(quota.charge, message, cost, self.house.clock.now_ms(), True)
        except QuotaExhausted:
            assert message not in self.charged
            assert before.free_left == 0
            assert before.balance_micros < cost
            return
        if message in self.charged:
            assert charged == self.charged[message]
            assert self.state() == before
        else:
            assert charged == (0 if before.free_left else cost)
        self.charged[message] = charged

    @rule(cost=amounts, count=st.integers(1, 4))
    def charge_many(self, cost: int, count: int) -> None:
        """Out of a purse, in one transaction: as one after another."""
        before = self.state()
        keys = [f"many {next(numbers)}" for _ in range(count)]

        async def pay(tx: Tx, account_id: int) -> list[int | None]:
            purse = await Purse.open(tx, account_id, self.house.clock.now_ms(), prepaid=True)
            paid = [purse.pay(key, cost) for key in keys]
            await purse.close(tx)
            return paid

        free, balance, expected = before.free_left, before.balance_micros, []
        for _ in keys:
            price = 0 if free else cost
            expected.append(price if free or balance >= cost else None)
            free, balance = max(0, free - 1), balance - (price if expected[-1] is not None else 0)
        paid = self.write(pay)
        assert paid == expected
        assert self.state().balance_micros == balance
        self.charged |= {key: cost for key, cost in zip(keys, paid, strict=True) if cost is not None}

    @rule(message=messages)
    def refund(self, message: str) -> None:
        before = self.state().balance_micros
        given_back = self.write(quota.refund, message, self.house.clock.now_ms())
        assert given_back >= 0
        assert self.state().balance_micros == before + given_back
        assert self.write(quota.refund, message, self.house.clock.now_ms()) == 0

    @rule(message=messages, final=amounts)
    def correct(self, message: str, final: int) -> None:
        before = self.state().balance_micros
        change = self.write(quota.correct, message, final, self.house.clock.now_ms())
        assert self.state().balance_micros == before + change
        assert message in self.charged or change == 0

    @rule(reference=st.sampled_from(["p1", "p2", "p3", "m1"]), amount=st.sampled_from([1, 10, 50]))
    def top_up(self, reference: str, amount: int) -> None:
        added = self.write(quota.top_up, reference, amount, self.house.clock.now_ms())
        assert added == (reference not in self.paid_in)
        self.paid_in.setdefault(reference, amount)

    @rule(minutes=st.sampled_from([1, 30, 61]))
    def wait(self, minutes: int) -> None:
        self.house.clock.advance(minutes * 60)

    @invariant()
    def the_books_balance(self) -> None:
        state, books = self.state(), self.books()
        assert state.balance_micros >= 0
        assert sum(amount for _, _, amount in books) == state.balance_micros
        assert 0 <= state.free_used <= FREE_MESSAGES
        for message in self.charged:
            assert sum(amount for key, kind, amount in books if key == message and kind != "top_up") <= 0
        free = {key for key, kind, _ in books if kind == "quota"}
        given_back = {key for key, kind, _ in books if kind == "refund"}
        assert state.free_used == len(free - given_back)


def test_the_books_balance_whatever_happens(database_url: str) -> None:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        context = opened(database_url)
        house = runner.run(context.__aenter__())
        try:
            runner.run(house.accounts.save_plan(Plan("small", FREE_MESSAGES, 1)))
            run_state_machine_as_test(
                lambda: Books(runner, house),  # type: ignore[arg-type]  # Called for each walk, as a class is.
                settings=settings(
                    max_examples=walks(12, 25),
                    stateful_step_count=20,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            runner.run(context.__aexit__(None, None, None))
