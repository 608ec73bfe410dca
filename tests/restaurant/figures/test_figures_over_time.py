"""Customers' figures through anything that happens to orders and contacts: always what a new count would come to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import Table, delete, insert, select

from tablegram.errors import Problem
from tablegram.restaurant import customers
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.keeping import Placed
from tablegram.restaurant.orders.model import Order
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.migrate import migrate, migrate_to, on_connection
from tablegram.storage.query import columns
from tablegram.storage.tables import menu_items, metadata, order_payments
from tablegram.storage.tables import orders as order_table
from tests.databases import Databases
from tests.long import walks
from tests.restaurant.carts.books import Books
from tests.restaurant.figures.counted import READ, expected, kept
from tests.restaurant.kept import NOON, priced, store
from tests.restaurant.orders.placing import placing

CONTACTS = st.sampled_from(["ada", "can", None])
_QUERIES = {name: Query(statement) for name, statement in READ.items()}
_TOUCHED = [metadata.tables[name] for name in (*READ, "order_events") if name != "menu_items"]
_CLEAR = [Query(delete(table).where(table.c.account_id == 1)) for table in _TOUCHED]
_ITEM = Query(insert(menu_items).values(columns(menu_items)))


def item(name: str, category: str) -> dict[str, Any]:
    texts = ("code", "name", "kitchen_name", "description", "allergens", "tags", "station", "availability")
    row: dict[str, Any] = dict.fromkeys(menu_items.c.keys())
    row |= dict.fromkeys((*texts, "translations"), "") | {"price": 1, "is_hidden": 0, "position": 0, "updated_at": 1}
    return row | {"account_id": 1, "id": name, "venue_id": "v", "code": name, "category_id": category}


async def _read(tx: Tx) -> dict[str, Any]:
    return {name: await tx.all(query, {}) for name, query in _QUERIES.items()}


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Books]:
    url = databases.migrated()
    opened = Books(url)

    async def menu(tx: Tx) -> None:
        # The third dish is in no menu any more.
        for name, category in (("tea", "drinks"), ("coke", "drinks"), ("lentil", "soups")):
            await tx.run(_ITEM, item(name, category))

    opened.do(menu)
    yield opened
    opened.close()
    databases.drop(url)


class Customers(RuleBasedStateMachine):
    books: Books

    @initialize()
    def begin(self) -> None:
        self.now = NOON
        self.made: list[str] = []

        async def clear(tx: Tx) -> None:
            for query in _CLEAR:
                await tx.run(query, {})

        self.books.do(clear)
        for dish in ("tea", "lentil", "tea"):
            self.order("ada", dish, 1, True, "takeaway")

    @rule(
        who=CONTACTS, dish=st.sampled_from(["tea", "lentil", "baklava"]), many=st.integers(1, 3), nods=st.booleans(),
        way=st.sampled_from(["dine_in", "takeaway", "delivery"]),
    )  # fmt: skip
    def order(self, who: str | None, dish: str, many: int, nods: bool, way: Any) -> None:
        self.now += 1
        lines = priced(DishLine("coke"), DishLine(dish, many), DishLine(dish, 1, note="hot"))
        made = placing(
            lines=lines, contact_id=who, order_type=way, accepts_by_itself=nods, venue_id="v" if many < 3 else "w"
        )
        placed: Placed = self.books.do(lambda tx: orders.place(tx, made, self.now))
        self.made.append(placed.order.order_id)

    def at(self, which: int) -> str:
        return self.made[which % len(self.made)]

    @rule(
        which=st.integers(0, 9),
        event=st.sampled_from(
            ["accept", "reject", "finish", "serve", "pick_up", "pay", "refund", "complete", "cancel"]
        ),
    )
    def happen(self, which: int, event: Any) -> None:
        self.now += 1
        self.books.do(
            lambda tx: orders.happen(tx, 1, self.at(which), event, "staff", "Elif", self.now, reason="so it is")
        )

    @rule(which=st.integers(0, 9), many=st.integers(1, 4))
    def change(self, which: int, many: int) -> None:
        self.now += 1
        self.books.do(
            lambda tx: revising.revise(tx, 1, self.at(which), priced(DishLine("tea", many)), (), (), "Elif", self.now)
        )

    @rule(which=st.integers(0, 9), who=st.sampled_from(["ada", "can"]))
    def recognise(self, which: int, who: str) -> None:
        """Who typed a number writes from it."""
        self.now += 1
        self.books.do(lambda tx: revising.amend(tx, 1, self.at(which), {"contact_id": who}, "guest", self.now))

    @rule(gone=st.sampled_from(["ada", "can"]))
    def merge(self, gone: str) -> None:
        self.books.do(lambda tx: customers.move(tx, 1, gone, {"ada": "can", "can": "ada"}[gone]))

    @rule(who=st.sampled_from(["ada", "can"]))
    def forget(self, who: str) -> None:
        self.books.do(lambda tx: customers.forget(tx, 1, [who], [], self.now))

    @invariant()
    def they_are_what_a_new_count_comes_to(self) -> None:
        if hasattr(self, "made"):
            read = self.books.do(_read)
            assert not isinstance(read, Problem)
            assert kept(read) == expected(read)


def test_figures_are_those_of_the_orders_whatever_happens(books: Books) -> None:
    class Machine(Customers):
        pass

    Machine.books = books
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=walks(8, 16), stateful_step_count=16, deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )  # fmt: skip


async def test_money_that_went_back_is_no_value_and_all_of_it_no_order(database_url: str) -> None:
    async with store(database_url) as db:
        made = placing(lines=priced(DishLine("tea", 2), DishLine("lentil")), contact_id="ada")
        order: Order = (await db.write(lambda tx: orders.place(tx, made, NOON))).order

        async def worth(event: Any, **more: Any) -> Any:
            await db.write(lambda tx: orders.happen(tx, 1, order.order_id, event, "staff", "Elif", NOON + 1, **more))
            read = await db.snapshot(_read)
            assert kept(read) == expected(read)
            return kept(read)[1].get(("ada", "currency", "TRY"))

        assert await worth("pay") == (1, order.total, 0)
        assert await worth("refund") is None
        assert await db.all(_QUERIES["customer_orders"]) == []


@pytest.mark.shared
async def test_two_processes_count_one_customer_one_after_the_other(database_url: str) -> None:
    async with store(database_url) as one, store(database_url) as other:

        async def place(db: Database, number: int) -> Order:
            made = placing(lines=priced(DishLine("tea", number % 3 + 1)), contact_id="ada")
            return (await db.write(lambda tx: orders.place(tx, made, NOON + number))).order

        placed = await asyncio.gather(*(place((one, other)[number % 2], number) for number in range(12)))

        async def cancel(db: Database, order: Order) -> None:
            await db.write(lambda tx: orders.happen(tx, 1, order.order_id, "cancel", "staff", "Elif", NOON + 99))

        await asyncio.gather(
            *(cancel((one, other)[number % 2], order) for number, order in enumerate(placed) if number % 4 != 1),
            *(place((other, one)[number % 2], number) for number in range(20, 26)),
        )
        read = await one.snapshot(_read)
        assert kept(read) == expected(read)
        assert kept(read)[0]["ada"][0] == 9


def test_orders_of_before_are_counted_when_an_installation_is_upgraded(
    databases: Databases, fresh_database_url: str, books: Books
) -> None:
    """The rows that a random evening leaves behind, carried into a database of the version before."""

    class Machine(Customers):
        pass

    Machine.books = books
    evening: Any = Machine()
    evening.begin()
    for number, (who, way) in enumerate([("can", "delivery"), ("ada", "dine_in"), (None, "takeaway")] * 3):
        evening.order(who, ["tea", "lentil", "baklava"][number % 3], number % 3 + 1, number % 4 > 0, way)
    for number, event in enumerate(["finish", "pay", "refund", "cancel", "accept", "pay", "refund"]):
        evening.happen(number // 2, event)
    there = books.do(_read)
    wanted: list[tuple[Table, Any]] = [
        (order_table, there["orders"]), (order_payments, there["order_payments"]), (menu_items, there["menu_items"]),
    ]  # fmt: skip
    migrate_to(fresh_database_url, "0040")
    on_connection(
        fresh_database_url,
        lambda connection: [connection.execute(insert(table), [dict(row) for row in rows]) for table, rows in wanted],
    )
    migrate(fresh_database_url)
    found = on_connection(
        fresh_database_url,
        lambda connection: {
            name: [dict(row) for row in connection.execute(select(metadata.tables[name])).mappings()] for name in READ
        },
    )
    assert kept(found) == expected(found) == kept(there)
    by_key = [{row["order_key"]: dict(row) for row in rows["customer_orders"]} for rows in (found, there)]
    assert by_key[0] == by_key[1]
