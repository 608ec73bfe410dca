"""The gate through anything: links made, paid, paid again, expired, cancelled, asked about; orders changed, cancelled, paid
in cash or by gift card, refunded; the provider down; processes that die between a commit and what follows it.

Before the money there is no ticket, no event and no kitchen; after it exactly one of each.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import bindparam, select

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.flows.loyalty.fields import GiftFields
from tablegram.flows.loyalty.gifts.answers import WholeGift
from tablegram.flows.loyalty.services import LoyaltyServices
from tablegram.flows.restaurant.fields import GiftPaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.payments.model import Link, read_link
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD
from tablegram.restaurant.orders.tokens import order_token
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import events, order_payments, payment_links, payment_movements, tickets
from tablegram.values.clock import DAY_MS
from tests.databases import Databases
from tests.long import walks
from tests.payments.gate.till import PaidHouse, paid_house

_TICKETS = Query(select(tickets.c.kind).where(tickets.c.account_id == 1, tickets.c.order_key == bindparam("b_key")))
_ROWS = Query(
    select(order_payments).where(order_payments.c.account_id == 1, order_payments.c.order_key == bindparam("b_key"))
)
_MOVES = Query(
    select(payment_movements).where(
        payment_movements.c.account_id == 1, payment_movements.c.link_id == bindparam("b_link")
    )
)
_CREATED = Query(
    select(events.c.id).where(
        events.c.account_id == 1, events.c.type == "restaurant.order_created", events.c.body.like(bindparam("b_number"))
    )
)
_LINKS = Query(
    select(payment_links)
    .where(payment_links.c.account_id == 1, payment_links.c.subject_key == bindparam("b_key"))
    .order_by(payment_links.c.id)
)
_signals = itertools.count()
# Longer than the steps of one order take.
DAYS_APART = 2
IN_KITCHEN = ("sent_to_kitchen", "preparing", "ready", "picked_up", "completed")


class Books:
    """The house, for a machine that knows no `await`."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._opened = paid_house(url)
        self.one: PaidHouse = self._runner.run(self._opened.__aenter__())
        self.begun_at = self.one.clock.now_ms()
        gifts, owner = self.one.house.product.of(LoyaltyServices).gifts, self.one.house.caller("owner")
        given: GiftFields = {"amount": 100_000, "paid_by": "cash"}
        self.gift: WholeGift = self.do(gifts.issue(owner, given, Call("gift"))).value

    def spent(self) -> int:
        """What is taken off the card, in minor units."""
        gifts, owner = self.one.house.product.of(LoyaltyServices).gifts, self.one.house.caller("owner")
        gift: WholeGift = self.do(gifts.get(owner, self.gift.id))
        assert gift.balance == sum(move.amount for move in gift.movements) >= 0
        return round((gift.value - gift.balance) * 100)

    def do(self, work: Any) -> Any:
        """What came of it, or the problem that refused it. Nothing else may come."""

        async def attempt() -> Any:
            try:
                return await work
            except Problem as problem:
                return problem

        return self._runner.run(attempt())

    def close(self) -> None:
        self._runner.run(self._opened.__aexit__(None, None, None))
        self._runner.close()


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class OneOrder(RuleBasedStateMachine):
    books: Books

    @initialize(down=st.booleans(), dies=st.booleans())
    def order(self, down: bool, dies: bool) -> None:
        one = self.books.one
        one.till.is_down = down
        self.by_cash, self.spent_before = False, self.books.spent()
        # A day later at the same hour: the house is open, and whatever the last order left is over.
        one.clock.at_ms = self.books.begun_at = self.books.begun_at + DAYS_APART * DAY_MS

        async def place() -> str:
            cart = await one.house.cart(one.house.line("Lahmacun", 2), one.house.line("Künefe"), table=None,
                                        order_type="takeaway")  # fmt: skip
            given = {"payment_method": "online_card", "phone": "905551112233", "name": "Ayşe"}
            made = await one.house.guests.order_from_page(one.house.venue, cart["code"], cart["holder"], given)
            one.forget() if dies else await one.settle()
            return str(made["order_id"])

        self.number = self.books.do(place())
        assert isinstance(self.number, str), self.number

    # What happens.

    @rule(which=st.integers(0, 2), again=st.booleans(), late=st.booleans())
    def pay(self, which: int, again: bool, late: bool) -> None:
        """The guest pays one of the links, whatever became of it; told of once, or once more, or only when asked."""
        links = [one for one in self.links() if one.reference is not None]
        if not links:
            return
        link = links[which % len(links)]
        till = self.books.one.till
        if link.id in till.cancelled:
            return
        till.paid.setdefault(link.id, link.amount)
        if late:
            return
        for _ in range(2 if again else 1):
            self.books.do(self.books.one.signal(link, f"signal-{next(_signals)}"))

    @rule(minutes=st.sampled_from([1, 11, 31]))
    def time_passes(self, minutes: int) -> None:
        self.books.one.clock.advance(minutes * 60)
        self.books.do(self.books.one.drain())
        self.books.do(self.books.one.house.product.order_clock.end_due())

    @rule(down=st.booleans())
    def provider(self, down: bool) -> None:
        self.books.one.till.is_down = down

    @rule(action=st.sampled_from(["send_link", "cancel", "reject", "refund", "start", "finish", "pick_up", "complete"]))
    def staff(self, action: str) -> None:
        fields = {"reason": "why"} if action == "reject" else {}
        self.act(action, **fields)

    @rule(pays=st.booleans())
    def cash_instead(self, pays: bool) -> None:
        shown = self.act("pay_in_person", payment_method="cash")
        self.by_cash = self.by_cash or not isinstance(shown, Problem)
        if pays:
            self.act("pay")

    @rule()
    def refund_of_a_line(self) -> None:
        self.act("refund", lines=[1])

    @rule(quantity=st.integers(1, 3))
    def change(self, quantity: int) -> None:
        house = self.books.one.house
        lines = [house.line("Lahmacun", quantity), house.line("Künefe")]
        self.books.do(house.orders.change(house.staff, self.number, {"lines": lines}))
        self.books.do(self.books.one.settle())

    @rule(way=st.sampled_from(["link", "person"]))
    def guest(self, way: Literal["link", "person"]) -> None:
        one = self.books.one
        order = self.found()
        token = order_token(one.house.product.box, one.house.venue, order)
        done = self.books.do(one.house.product.of(RestaurantServices).guest_paying.choose(token, way))
        # A number that was only typed is nobody whom the house could find.
        assert way == "link" or isinstance(done, Problem)
        self.books.do(one.settle())

    @rule(amount=st.sampled_from([None, 100, 5_000]), again=st.booleans(), at_counter=st.booleans())
    def gift_card(self, amount: int | None, again: bool, at_counter: bool) -> None:
        """Also where the answer was lost, and the same tap comes once more."""
        one = self.books.one
        token = order_token(one.house.product.box, one.house.venue, self.found())
        key, code = f"a-tap-of-one-phone-{next(_signals)}", self.books.gift.code
        services = one.house.product.of(RestaurantServices)

        async def tap() -> Any:
            if not at_counter:
                return await services.guest_gifts.pay_order(token, {"key": key, "code": code, "amount": amount}, "")
            fields: GiftPaymentFields = {"gift_code": code, "amount": None if amount is None else amount / 100}
            call = Call("counter", idempotency_key=key, fingerprint=str(amount))
            return (await services.counter_gifts.pay(one.house.staff, self.number, fields, call)).value

        made = [self.books.do(tap()) for _ in range(2 if again else 1)]
        if not isinstance(made[0], Problem):
            assert made[0] == made[-1]
        self.books.do(one.settle())

    def act(self, action: str, **fields: Any) -> Any:
        done = self.books.do(self.books.one.house.act(self.number, action, "owner", **fields))
        self.books.do(self.books.one.settle())
        return done

    # What holds.

    @invariant()
    def nothing_is_cooked_before_the_money_and_all_of_it_once_after(self) -> None:
        if not hasattr(self, "number"):
            return
        order = self.found()
        history = self.books.do(self.history(order))
        printed = [row["kind"] for row in self.books.do(self.books.one.db.all(_TICKETS, {"b_key": order.id}))]
        created = len(self.books.do(self.books.one.db.all(_CREATED, {"b_number": f"%{self.number}%"})))
        has_cooked = any(step["state"] in IN_KITCHEN for step in history)
        assert created == int(has_cooked)
        assert printed.count("order") == int(has_cooked)
        rows = self.books.do(self.books.one.db.all(_ROWS, {"b_key": order.id}))
        came = sum(row["amount"] for row in rows if (row["kind"], row["state"]) == ("payment", "succeeded"))
        went = sum(row["amount"] for row in rows if (row["kind"], row["state"]) == ("refund", "succeeded"))
        assert 0 <= went <= came <= order.total
        by_gift = sum(
            row["amount"] * (1 if row["kind"] == "payment" else -1) for row in rows if row["method"] == "gift_card"
        )
        # What the card has lost is what it pays here, and nothing of it stays with an order that was called off.
        assert by_gift == self.books.spent() - self.spent_before >= 0
        assert not (order.state in DEAD and by_gift)
        if has_cooked and not self.by_cash:
            assert any(link.received for link in self.links()) or any(row["method"] == "gift_card" for row in rows)
        if order.state == "awaiting_payment" and order.payment_state != "refunded":
            assert came == by_gift < order.total

    @invariant()
    def no_money_is_lost(self) -> None:
        """What came by link is the order's, or has gone back, or waits for people."""
        if not hasattr(self, "number"):
            return
        order = self.found()
        rows = self.books.do(self.books.one.db.all(_ROWS, {"b_key": order.id}))
        own = {row["reference"] for row in rows if (row["kind"], row["state"]) == ("payment", "succeeded")}
        for link in self.links():
            moves = self.books.do(self.books.one.db.all(_MOVES, {"b_link": link.id}))
            assert sum(row["amount"] for row in moves) == link.received - link.refunded
            if link.received > link.refunded:
                assert link.waits_for_decision or (link.id in own and order.state not in DEAD)
        alive = [link for link in self.links() if link.is_alive and not link.received]
        assert len(alive) <= 1
        if alive:
            gifts = [row["amount"] for row in rows if (row["method"], row["kind"]) == ("gift_card", "payment")]
            assert (order.state not in DEAD, alive[0].amount) == (True, order.total - sum(gifts))

    # Inside.

    def found(self) -> Order:
        found: Order = self.books.do(self.books.one.db.snapshot(lambda tx: orders.find(tx, 1, self.number)))
        return found

    async def history(self, order: Order) -> Any:
        async def look(tx: Tx) -> Any:
            return await orders.history(tx, order)

        return await self.books.one.db.snapshot(look)

    def links(self) -> list[Link]:
        key = self.found().id
        return [read_link(row) for row in self.books.do(self.books.one.db.all(_LINKS, {"b_key": key}))]


def test_whatever_happens_nothing_is_cooked_before_the_money(books: Books) -> None:
    machine = type("OneOrderHere", (OneOrder,), {"books": books})
    given = settings(
        max_examples=walks(10, 25),
        stateful_step_count=14,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
    )
    run_state_machine_as_test(machine, settings=given)
