"""Stamp cards: orders bring stamps once, a full card becomes a coupon, and what goes back takes them along."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, Unpack

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import select

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid
from tablegram.flows.contacts.services import ContactServices
from tablegram.flows.loyalty.fields import CardFields, RewardOfCard
from tablegram.flows.loyalty.services import LoyaltyWorks
from tablegram.loyalty import coupons, stamps
from tablegram.loyalty.giving import Offer
from tablegram.loyalty.stamps import Card, Source
from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import loyalty_collected, loyalty_stamps
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id
from tests.databases import Databases
from tests.loyalty.test_coupons import order_of, ordered, redeem, services
from tests.loyalty.test_guest_rewards import proved, seen
from tests.loyalty.test_points import brought, desk, guest
from tests.restaurant.carts.books import Books
from tests.restaurant.flows.house import House, house
from tests.restaurant.kept import NOON

OFF: RewardOfCard = {"name": "Tea on us", "gives": "percent", "percent": 50}


async def card(one: House, **fields: Unpack[CardFields]) -> dict[str, Any]:
    given: CardFields = {"name": "Tea card", "needed": 3, "reward": OFF, **fields}
    answer = await services(one).cards.make(one.caller("owner"), given, Call("card"))
    made: dict[str, Any] = msgspec.to_builtins(answer.value)
    return made


async def moved(one: House) -> list[tuple[str, int, int]]:
    found = select(loyalty_stamps).where(loyalty_stamps.c.account_id == 1)
    rows = await one.db.all(Query(found.order_by(loyalty_stamps.c.created_at, loyalty_stamps.c.id)))
    return [(row["kind"], row["stamps"], row["short"]) for row in rows]


async def held(one: House) -> list[int]:
    return [each.stamps for each in (await desk(one).member(one.caller("owner"), await guest(one))).cards]


async def test_a_card_fills_up_and_becomes_a_coupon_that_is_used_everywhere(database_url: str) -> None:
    async with house(database_url) as one:
        tea = one.item("Lahmacun")
        await card(one, item_id=tea.id, reward={**OFF, "gives": "item", "item_id": tea.id})
        await brought(one, one.line("Künefe"))
        assert await moved(one) == []
        await brought(one, one.line("Lahmacun", 2))
        # Two of five make it full; the rest stays for the next one.
        last = await brought(one, one.line("Lahmacun", 3))
        assert await moved(one) == [("earn", 2, 0), ("earn", 3, 0), ("reward", -3, 0)]
        given = await one.told("loyalty.stamps_given")
        assert [(told["stamps"], told["balance"], told["needed"]) for told in given] == [(2, 2, 3), (3, 2, 3)]
        (full,) = await one.told("loyalty.card_full")
        assert (full["name"], full["reward"], full["order_id"]) == ("Tea card", "Tea on us", last)
        await one.write("DAMGALARIM?")
        (line, coupon) = (await one.said())[-1].split("\n")
        assert line == "Tea card: 3 damgadan 2 tanesi sizde."
        code = coupon.rpartition("kupon ")[2].partition("*")[0]
        assert code == full["code"]
        made = await proved(one)
        page = await seen(one, made)
        assert page["cards"] == [{"name": "Tea card", "stamps": 2, "needed": 3}]
        assert page["coupons"] == [{"code": code, "name": "Tea on us"}]
        number = await ordered(one, "905551112233", one.line("Lahmacun", 2))
        assert (await redeem(one, number, code=code, contact_id=await guest_of(one, last)))["amount"] == tea.price / 100
        for step in ("finish", "pick_up", "pay", "complete"):
            await one.act(number, step)
        # The one for nothing brings no stamp; the one that was paid for does.
        assert (await moved(one))[-2][:2] == ("earn", 1)
        assert (await moved(one))[-1][:2] == ("reward", -3)
        assert (await held(one)) == [0]


async def guest_of(one: House, number: str) -> str:
    return str((await order_of(one, number))["contact_id"])


async def test_a_visit_counts_once_a_day_and_what_goes_back_takes_its_stamp_and_an_unused_coupon(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        await card(one, needed=2, expires_months=1)
        first = await brought(one)
        await brought(one)
        assert await moved(one) == [("earn", 1, 0)]
        # The visit is undone, and the next order of the day is one.
        await one.act(first, "refund")
        again = await brought(one)
        assert [kind for kind, _, _ in await moved(one)] == ["earn", "reverse", "earn"]
        one.clock.advance(86_400)
        full = await brought(one)
        assert (await moved(one))[-1] == ("reward", -2, 0)
        # Nobody used the coupon: it becomes stamps again, of which one goes.
        await one.act(full, "refund")
        assert (await moved(one))[-2:] == [("give_back", 2, 0), ("reverse", -1, 0)]
        assert await held(one) == [1]
        page = await services(one).coupons.page(one.caller("owner"), kind="stamps")
        assert [one.is_active for one in page.data] == [False]
        # Full again, and used: nobody owes a stamp.
        one.clock.advance(86_400)
        full = await brought(one)
        [fresh] = [one for one in (await services(one).coupons.page(one.caller("owner"))).data if one.is_active]
        await redeem(one, await ordered(one), code=fresh.code)
        await one.act(full, "refund")
        await one.act(again, "refund")
        assert (await moved(one))[-2:] == [("reverse", 0, 1), ("reverse", 0, 1)]
        # What nobody uses goes by.
        one.clock.advance(86_400)
        await brought(one)
        one.clock.advance(32 * 86_400)
        await one.product.of(LoyaltyWorks).clock.see_to()
        assert (await moved(one))[-1] == ("expire", -1, 0)
        contact = await guest(one)
        await one.product.of(ContactServices).erasure.erase(one.caller("owner"), contact)
        for table in (loyalty_stamps, loyalty_collected):
            rows = await one.db.all(Query(select(table).where(table.c.account_id == 1)))
            assert all(row["contact_id"].startswith("gone:") for row in rows)


async def test_cards_that_make_no_sense_are_refused_and_one_that_is_off_takes_nothing(database_url: str) -> None:
    async with house(database_url) as one:
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("needed", {"needed": 1}),
            ("needed", {"needed": 101}),
            ("item_id", {"item_id": "nothing"}),
            ("item_id", {"item_id": one.item("Ayran").id, "category_id": one.item("Ayran").category_id}),
            ("name", {"name": "  "}),
            ("expires_months", {"expires_months": 121}),
            ("percent", {"reward": {**OFF, "percent": 0}}),
            ("currency", {"reward": {"name": "x", "gives": "amount", "amount": 5}}),
            ("days", {"reward": {**OFF, "days": 0}}),
        ]
        for field, fields in wrong:
            with pytest.raises(Invalid) as refused:
                await card(one, **fields)
            assert refused.value.errors[0].field == field
        made = await card(one)
        changed = await services(one).cards.change(one.caller("owner"), made["id"], {"is_active": False, "name": "Old"})
        assert (changed.name, changed.is_active) == ("Old", False)
        await brought(one)
        assert await moved(one) == []


async def test_eight_at_once_fill_a_card_once(database_url: str) -> None:
    async with house(database_url) as one:
        made = await card(one, needed=4)
        await ordered(one)
        contact, now = await guest(one), one.clock.now_ms()
        kept = await one.db.snapshot(lambda tx: stamps.find_card(tx, 1, made["id"]))

        async def stamp(number: int) -> None:
            # Each order twice.
            source = Source(f"order{number // 2}", "")
            await one.db.write(lambda tx: stamps.earn(tx, kept, contact, 1, source, now))

        await asyncio.gather(*(stamp(number) for number in range(8)))
        assert sorted(await moved(one)) == [("earn", 1, 0)] * 4 + [("reward", -4, 0)]
        assert len((await services(one).coupons.page(one.caller("owner"))).data) == 1


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)
    yield opened
    opened.close()
    databases.drop(url)


class Cards(RuleBasedStateMachine):
    """Stamps, and the coupons that they become, through anything."""

    books: Books

    @initialize()
    def begin(self) -> None:
        self.now = NOON
        self.people = [new_id(), new_id()]
        self.orders: list[tuple[int, Source, int]] = []
        offer = Offer(kind="stamps", name="Tea", gives="percent", percent=5_000, days=20)
        self.card = Card(
            account_id=1, id=new_id(), name="Tea card", needed=3, offer=offer, expires_months=1, created_at=NOON,
            updated_at=NOON,
        )  # fmt: skip

    @rule(who=st.integers(0, 1), many=st.integers(1, 7))
    def stamp(self, who: int, many: int) -> None:
        self.now += 1
        self.orders.append((who, Source(new_id(), ""), many))
        self._stamp(-1)

    @rule(place=st.integers(0, 50))
    def stamp_again(self, place: int) -> None:
        if self.orders:
            self._stamp(place % len(self.orders))

    def _stamp(self, place: int) -> None:
        who, order, many = self.orders[place]
        self.books.do(lambda tx: stamps.earn(tx, self.card, self.people[who], many, order, self.now))

    @rule(place=st.integers(0, 50))
    def take_back(self, place: int) -> None:
        if self.orders:
            self.now += 1
            order = self.orders[place % len(self.orders)][1]
            for _ in range(2):
                self.books.do(lambda tx: stamps.take_back(tx, 1, order, self.now))

    @rule(days=st.integers(1, 25), who=st.integers(0, 1))
    def wait(self, days: int, who: int) -> None:
        self.now += days * DAY_MS
        self.books.do(lambda tx: stamps.let_go_by(tx, 1, self.card.id, self.people[who], self.now))

    @rule()
    def become_one(self) -> None:
        async def both(tx: Tx) -> None:
            await stamps.move(tx, 1, self.people[1], self.people[0])

        self.books.do(both)

    @invariant()
    def sums_are_what_moved(self) -> None:
        async def look(tx: Tx, contact_id: str) -> tuple[Any, Any, Any]:
            found = await stamps._lock(tx, 1, self.card.id, contact_id, self.now)
            rows = await stamps.of_contacts(tx, 1, [contact_id])
            made = [await coupons.find(tx, 1, row.coupon_id) for row in rows if row.coupon_id is not None]
            return found, rows, made

        for contact_id in self.people:
            mine, rows, made = self.books.do(lambda tx, one=contact_id: look(tx, one))
            assert mine.balance == sum(row.stamps for row in rows) == sum(row.unused for row in rows) >= 0
            assert mine.balance == mine.given - mine.rewarded - mine.expired - mine.taken
            # Each coupon is one full card; those that were given up are stamps again.
            back = sum(row.kind == "give_back" for row in rows)
            assert sum(one.is_active for one in made) == len(made) - back == mine.rewarded // 3


def test_stamps_are_their_rows_whatever_happens(books: Books) -> None:
    class Machine(Cards):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=12, stateful_step_count=18, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip
