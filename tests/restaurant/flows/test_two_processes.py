"""Two processes on one store: whoever comes second waits, nobody waits for each other, and no change is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.accounts.audit import Audit
from tablegram.engine.idempotency import Idempotency
from tablegram.engine.owners import Owner
from tablegram.errors import Problem
from tablegram.flows.restaurant.bills.bills import Bills
from tablegram.storage.database import Query
from tablegram.storage.tables import inbox
from tablegram.values.clock import DAY_MS
from tests.crm.pool import PHONE
from tests.restaurant.flows import test_desks as desks
from tests.restaurant.flows.house import House, house
from tests.storage.opened import opened

ROUNDS = 10
LEADS = 12
TABLES = ("5", "6", "7")


@asynccontextmanager
async def with_second_till(database_url: str) -> AsyncIterator[tuple[House, Bills]]:
    """The whole product, and the bills of another process beside it."""
    async with house(database_url) as one, opened(database_url) as db:
        clock = one.clock
        idempotency = Idempotency(db, Owner(db), clock, DAY_MS)
        yield one, Bills(db, idempotency, clock, Audit(db, clock), one.orders._ordering)


async def failed(one: House) -> list[str]:
    """Callbacks that did not go through at their first try."""
    found = select(inbox).where(inbox.c.account_id == 1, inbox.c.attempts > 0)
    return [row["error"] for row in await one.db.all(Query(found))]


@pytest.mark.parametrize("way", ["page", "text"])
async def test_a_tab_that_is_closed_while_a_guest_orders_is_closed_before_or_after(database_url: str, way: str) -> None:
    async with with_second_till(database_url) as (one, till):
        table = await one.table("5")
        outcomes: list[str] = []

        async def order(cart: dict[str, Any], phone: str, lead_s: float) -> None:
            await asyncio.sleep(lead_s)
            try:
                if way == "text":
                    await one.write(cart["text"], phone)
                    outcomes.extend("cart_expired" for text in await one.said(phone) if "too old" in text)
                else:
                    await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
            except Problem as problem:
                outcomes.append(problem.code)

        async def close(lead_s: float) -> None:
            await asyncio.sleep(lead_s)
            await till.close_table(one.caller("owner"), one.venue.id, table.id, "Left")

        # Whoever is first, by more or less: one of these meets the other with one lock in its hand.
        for lead_ms in range(-LEADS, LEADS + 1):
            cart, phone = await one.cart(), str(int(PHONE) + 50 + lead_ms)
            await asyncio.gather(order(cart, phone, max(0, -lead_ms) / 1_000), close(max(0, lead_ms) / 1_000))
        assert await failed(one) == []
        assert set(outcomes) <= {"cart_expired"}
        assert len(await one.placed()) + len(outcomes) == 2 * LEADS + 1


async def test_a_full_house_that_orders_shares_and_leaves_at_once_gets_through(database_url: str) -> None:
    async with with_second_till(database_url) as (one, till):
        ids = {label: (await one.table(label)).id for label in TABLES}
        outcomes: list[str] = []

        async def close(label: str) -> None:
            await till.close_table(one.caller("owner"), one.venue.id, ids[label], "Left")

        async def order(cart: dict[str, Any]) -> None:
            try:
                await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
                outcomes.append("ordered")
            except Problem as problem:
                outcomes.append(problem.code)

        async def gather(cart: dict[str, Any]) -> None:
            try:
                await one.guests.bring_together(one.venue, cart["code"], cart["holder"])
            except Problem as problem:
                outcomes.append(problem.code)

        for number in range(4):
            carts = {label: [await one.cart(table=label) for _ in range(3)] for label in TABLES}
            texts = [
                (carts[label][0]["text"], PHONE, f"wamid.{number}{label}") for label in TABLES
            ]  # fmt: skip
            pages = [order(carts[label][1]) for label in TABLES]
            shared = [gather(carts[label][2]) for label in TABLES]
            await asyncio.gather(one.write_at_once(texts), *map(close, TABLES), *pages, *shared)
        assert await failed(one) == []
        assert set(outcomes) <= {"ordered", "cart_expired", "cart_empty"}


async def test_orders_that_move_to_a_table_and_its_bill_do_not_wait_for_each_other(database_url: str) -> None:
    async with with_second_till(database_url) as (one, till):
        here, there = await one.table("5"), await one.table("6")
        refused: list[str] = []
        for number in range(ROUNDS):
            cart = await one.cart()
            placed = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
            for step in ("start", "finish", "serve"):
                await one.act(placed["order_id"], step)
            target, left = (there, here) if number % 2 else (here, there)

            async def move(order_id: str = placed["order_id"], table_id: str = target.id) -> None:
                try:
                    await one.orders.change(one.staff, order_id, {"table_id": table_id})
                except Problem as problem:
                    refused.append(problem.code)

            await asyncio.gather(
                move(),
                till.close_table(one.caller("owner"), one.venue.id, target.id, "Left"),
                till.close_table(one.caller("owner"), one.venue.id, left.id, "Left"),
            )
        assert set(refused) <= {"state_conflict", "order_changed"}


@asynccontextmanager
async def two_desks(database_url: str) -> AsyncIterator[tuple[desks.House, desks.House, str]]:
    async with desks.house(database_url) as one, opened(database_url) as db:
        yield one, desks.House(db, one.account_id, one.workshop), await one.venue()


async def test_two_processes_that_change_one_venue_lose_no_change(database_url: str) -> None:
    async with two_desks(database_url) as (one, two, venue):
        for number in range(ROUNDS):
            await asyncio.gather(
                one.venues.update(one.owner, venue, {"name": f"Name {number}"}),
                two.venues.update(two.owner, venue, {"address": f"Street {number}"}),
                one.venues.update(one.owner, venue, {"service_charge": number / 2}),
                two.venues.update(two.owner, venue, {"preparation_min": number}),
            )
            kept = await one.venues.get(one.owner, venue)
            assert [getattr(kept, name) for name in ("name", "address", "service_charge", "preparation_min")] == [
                f"Name {number}", f"Street {number}", number / 2, number,
            ]  # fmt: skip


async def test_two_processes_that_change_one_menu_both_get_through(database_url: str) -> None:
    async with two_desks(database_url) as (one, two, venue):
        category = await one.menus.put_category(one.owner, venue, {"name": "All"})

        async def add(desk: desks.House, name: str) -> None:
            await desk.menus.put_item(desk.owner, venue, {"category_id": category.id, "name": name, "price": 1})

        names = [f"Dish {number}" for number in range(ROUNDS)]
        await asyncio.gather(*(add((one, two)[number % 2], name) for number, name in enumerate(names)))
        menu = await one.menus.menu(one.owner, venue)
        assert sorted(item.name for item in menu.items) == sorted(names)


async def test_of_two_venues_that_become_the_default_at_once_one_is_it(database_url: str) -> None:
    async with two_desks(database_url) as (one, two, first):
        second, third = await one.venue(name="Second"), await one.venue(name="Third")
        for number in range(ROUNDS):
            wanted = (second, third) if number % 2 else (third, first)
            await asyncio.gather(
                *(
                    desk.venues.update(desk.owner, venue, {"is_default": True})
                    for desk, venue in zip((one, two), wanted, strict=True)
                )
            )
            found = [venue.id for venue in (await one.venues.page(one.owner)).data if venue.is_default]
            assert len(found) == 1
            assert found[0] in wanted


async def test_waiters_who_are_changed_at_once_keep_both_changes(database_url: str) -> None:
    async with two_desks(database_url) as (one, two, venue):
        made = (await one.venues.add_waiter(one.owner, venue, {"name": "Elif"}, desks.CALL)).value
        for number in range(ROUNDS):
            phone = f"90555111{number:04}"
            await asyncio.gather(
                one.venues.change_waiter(one.owner, venue, made.id, {"name": f"Elif {number}"}),
                two.venues.change_waiter(two.owner, venue, made.id, {"phone": phone}),
            )
            (kept,) = (await one.venues.staff(one.owner, venue)).waiters
            assert (kept.name, kept.phone) == (f"Elif {number}", phone)
