"""The demo's restaurant: made once, believable, and consistent with the rules of the domain."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from tablegram.delivery.zones.keeping import read as read_zone
from tablegram.demo import story
from tablegram.restaurant import tables, venues
from tablegram.restaurant.demo.house import PICTURES
from tablegram.restaurant.figures import model as figures
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.orders.states import CLOSED
from tablegram.restaurant.orders.totals import total
from tablegram.sandbox.store import Store
from tablegram.settings import Settings
from tablegram.storage.database import Query, Tx, open_database
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import metadata, order_events, order_sequences, orders
from tablegram.storage.tables import venues as venue_rows
from tablegram.values.coordinates import Point
from tests.cli.program import Program

RESTAURANT = (
    "venues", "waiters", "sections", "restaurant_tables", "menu_categories", "menu_items", "option_groups", "options",
    "menu_images", "orders", "order_events", "order_sequences", "waiter_calls", "tabs", "till_movements",
    "till_counts", "messages",
)  # fmt: skip
SHOPS = (
    "store_sources", "store_deliveries", "store_orders", "store_carts", "store_notices", "store_purchases",
)  # fmt: skip


@pytest.fixture
def read(database_url: str, tmp_path: Path) -> Any:
    """Every row of a table."""

    def rows(table: Any) -> list[Any]:
        async def look() -> list[Any]:
            db = open_database(Settings(database_url=database_url, data_dir=tmp_path))
            await db.open()
            try:
                return list(await db.all(Query(across_accounts(select(table), "a test looks at everything"))))
            finally:
                await db.close()

        return asyncio.run(look())

    return rows


def counts(read: Any) -> dict[str, int]:
    return {name: len(read(metadata.tables[name])) for name in RESTAURANT}


def test_the_demo_has_a_venue_with_a_menu_pictures_and_twelve_tables(program: Program, read: Any) -> None:
    told = program.json("demo")
    assert re.fullmatch(rf"{re.escape(told['api'])}/menu\?table=12&venue=\w+&t=[\w%-]+", told["menu"])
    first = counts(read)
    assert (first["venues"], first["menu_items"], first["menu_images"], first["restaurant_tables"]) == (1, 80, 80, 12)
    assert (first["waiters"], first["orders"], first["messages"]) == (3, 0, 0)
    (venue,) = read(venue_rows)
    (line,) = program.json("instance", "list")
    assert (venue["instance_id"], venue["is_default"], venue["refuses_unsigned"]) == (line["id"], 1, 0)
    assert all(row["image_id"] for row in read(metadata.tables["menu_items"]))
    program("demo")
    assert counts(read) == first


@pytest.mark.later
def test_the_filled_demo_is_filled_once(program: Program, read: Any) -> None:
    program("demo", "--filled")
    first = counts(read)
    assert first["orders"] > 200
    assert first["waiter_calls"] == 2
    # The cash of the takings is in the drawer, which was counted every night; that of deliveries from when it was handed in.
    brought = {row["order_key"]: row for row in read(metadata.tables["order_deliveries"])}
    shifts = read(metadata.tables["courier_shifts"])
    away = [row["id"] for row in read(metadata.tables["orders"]) if row["state"] == "out_for_delivery"]
    assert away
    # Whatever is on the way is with somebody.
    assert {brought[key]["state"] for key in away} == {"picked_up"}
    cash = [
        (f"order:{row['id']}", row["amount"])
        for row in read(metadata.tables["order_payments"])
        if row["method"] == "cash" and row["state"] == "succeeded" and row["order_key"] not in brought
    ]
    cash += [(f"shift:{row['id']}", row["counted"]) for row in shifts if row["counted"]]
    moved = read(metadata.tables["till_movements"])
    assert sorted(cash) == sorted((row["source"], row["amount"]) for row in moved if row["source"])
    assert sum(row["counted_at"] is not None for row in shifts) >= 10
    for shift in shifts:
        taken = [
            row["collected"]
            for row in brought.values()
            if row["shift_id"] == shift["id"] and row["collected_by"] == "cash"
        ]
        # Of a day that is over all was handed in; of this one it is still with them.
        assert (shift["counted"] is None) == (shift["ended_at"] is None)
        assert shift["counted"] in (None, sum(taken))
    assert sum(shift["ended_at"] is None for shift in shifts) <= 2
    assert first["till_counts"] >= 10
    assert {row["counted"] - row["expected"] for row in read(metadata.tables["till_counts"])} == {0}
    # The shop's past is one that its rules allow: carts in every state, and a message behind each notice that was sent.
    shops = {name: read(metadata.tables[name]) for name in SHOPS}
    assert sorted(row["platform"] for row in shops["store_sources"]) == ["form", "woocommerce"]
    assert {row["state"] for row in shops["store_deliveries"]} == {"done", "ignored", "unreadable"}
    assert {row["state"] for row in shops["store_carts"]} == {"open", "left", "bought", "recovered", "deleted"}
    keys = {row["id"]: row["phone"] for row in read(metadata.tables["messages"])}
    notices = shops["store_notices"]
    assert {row["state"] for row in notices} == {"sent", "skipped"}
    assert all(keys[row["message_key"]] == row["phone"] for row in notices if row["state"] == "sent")
    assert all(row["reason"] for row in notices if row["state"] == "skipped")
    told = [
        json.loads(row["body"])["data"] for row in read(metadata.tables["events"]) if row["type"] == "messages.upsert"
    ]
    people = {row["id"] for row in read(metadata.tables["contacts"])}
    assert len(told) > 10
    assert {data["contact_id"] for data in told} <= people
    program("demo", "--filled")
    assert counts(read) == first
    assert {name: len(read(metadata.tables[name])) for name in SHOPS} == {
        name: len(rows) for name, rows in shops.items()
    }


def test_an_installation_that_was_made_before_gains_the_venue_and_its_orders(
    program: Program, read: Any, database_url: str, tmp_path: Path
) -> None:
    program("demo", "--filled")
    messages = counts(read)["messages"]

    async def as_before() -> None:
        db = open_database(Settings(database_url=database_url, data_dir=tmp_path))
        await db.open()

        async def work(tx: Tx) -> None:
            for name in RESTAURANT:
                if name != "messages":
                    await tx.run(Query(across_accounts(delete(metadata.tables[name]), "a test goes back in time")), {})

        await db.write(work)
        await db.close()

    asyncio.run(as_before())
    program("demo", "--filled")
    after = counts(read)
    assert (after["venues"], after["messages"]) == (1, messages)
    assert after["orders"] > 200


def test_a_restaurant_of_ones_own_is_left_alone(program: Program, read: Any, database_url: str, tmp_path: Path) -> None:
    program("demo")

    async def emptied() -> None:
        db = open_database(Settings(database_url=database_url, data_dir=tmp_path))
        await db.open()

        async def work(tx: Tx) -> None:
            (venue,) = await venues.every(tx, 1)
            for table in (await tables.every(tx, 1, venue.id))[3:]:
                await tables.remove(tx, 1, venue.id, table.id)

        await db.write(work)
        await db.close()

    asyncio.run(emptied())
    program("demo", "--filled")
    after = counts(read)
    assert (after["venues"], after["restaurant_tables"], after["orders"]) == (1, 3, 0)


def test_the_past_orders_keep_the_rules_of_the_domain(program: Program, read: Any) -> None:
    program("demo", "--filled")
    found: list[Order] = [from_row(row) for row in read(orders)]
    events: dict[str, list[Any]] = {}
    for row in read(order_events):
        events.setdefault(row["order_key"], []).append(row)
    days = Counter(order.order_id.split("-")[1] for order in found)
    assert {row["day"]: row["last"] for row in read(order_sequences)} == days
    assert len({order.order_id for order in found}) == len(found)
    assert len(days) >= 14
    drawn = sorted((read_zone(row) for row in read(metadata.tables["delivery_zones"])), key=lambda zone: zone.position)
    at = Point(*story.HOME)
    assert [zone.name for zone in drawn] == ["Moda", "Kadıköy", "Göztepe"]
    assert [row["label"] for row in read(metadata.tables["contact_addresses"])].count("Ev") == 2
    for order in found:
        assert order.total == total(order.lines, order.charges, order.discounts) > 0
        assert (order.closed_at is not None) == (order.state in CLOSED)
        assert (order.table_id is not None) == (order.order_type == "dine_in")
        assert bool(order.address) == (order.order_type == "delivery")
        if order.destination is not None and order.destination.point is not None:
            reached = next(zone for zone in drawn if zone.holds(at, order.destination.point))
            assert (order.destination.zone, order.destination.standing) == (reached.name, "inside")
        assert (order.destination is None) == (order.order_type != "delivery")
        history = sorted(events[order.id], key=lambda row: row["number"])
        assert [row["number"] for row in history] == list(range(1, len(history) + 1))
        assert (history[-1]["state"], history[-1]["payment_state"]) == (order.state, order.payment_state)
        assert [row["at"] for row in history] == sorted(row["at"] for row in history)
    # Segments find who ordered, as if each order had been placed.
    kept = {row["contact_id"]: row["orders"] for row in read(metadata.tables["customer_figures"])}
    assert kept == Counter(order.contact_id for order in found if figures.counts(order))
    assert sum(kept.values()) > 100
    in_order = sorted(found, key=lambda order: order.created_at)
    assert [order.order_id for order in in_order] == sorted(order.order_id for order in found)


def test_the_board_has_something_in_every_column(program: Program, read: Any) -> None:
    program("demo", "--filled")
    running = Counter(row["state"] for row in read(orders) if row["closed_at"] is None)
    assert set(running) == {
        "awaiting_confirmation", "sent_to_kitchen", "preparing", "ready", "served", "out_for_delivery",
    }  # fmt: skip
    seated = [row for row in read(orders) if row["closed_at"] is None and row["order_type"] == "dine_in"]
    assert len({row["table_id"] for row in seated}) == len(seated) == len(read(metadata.tables["tabs"]))


def test_every_picture_is_small_and_belongs_to_a_dish(program: Program, read: Any) -> None:
    program("demo")
    codes = {row["code"] for row in read(metadata.tables["menu_items"])}
    files = {file.stem: file.read_bytes() for file in PICTURES.rglob("*.webp")}
    assert files.keys() == codes
    assert all(len(data) <= 6_144 and data[8:12] == b"WEBP" for data in files.values())
    assert len(set(files.values())) == len(files)


def test_a_demo_with_the_sandbox_has_a_link_in_each_state_as_its_provider_knows_it(
    program: Program, read: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEGRAM_SANDBOX", "1")
    for _ in range(2):
        program("demo", "--filled")
    links = {row["id"]: row for row in read(metadata.tables["payment_links"])}
    # The one that is being made is open once the server runs.
    assert sorted(row["state"] for row in links.values()) == [
        "cancelled", "expired", "failed", "making", "paid", "paid",
    ]  # fmt: skip
    assert {row["mode"] for row in links.values()} == {"test"}
    assert not any(row["attention"] for row in links.values())
    moved = Counter[str]()
    for row in read(metadata.tables["payment_movements"]):
        moved[row["link_id"]] += row["amount"]
    assert {key: row["received"] - row["refunded"] for key, row in links.items() if row["received"]} == dict(moved)
    with closing(Store(tmp_path / "data" / "sandbox.db")) as sandbox:
        there = sandbox.execute("SELECT link_id, reference, state, paid, refunded FROM payments").fetchall()
    assert {row[0]: row[1:] for row in there} == {
        key: (row["reference"], row["state"], row["received"], row["refunded"])
        for key, row in links.items()
        if row["reference"]
    }
