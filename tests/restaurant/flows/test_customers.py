"""A person in the restaurant's books: their orders follow them, and outlive them without their name."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from tablegram.restaurant import calls, tables
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.lines import DishLine, PricedLine
from tablegram.restaurant.menu.keeping import load
from tablegram.restaurant.menu.pricing import price_line
from tablegram.restaurant.orders import keeping
from tablegram.restaurant.orders.keeping import Placing
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.takings import days
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tests.api.erasing import erased, whole_store
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.restaurant.furnished import furnish

pytestmark = pytest.mark.later


async def open_venue(one: Pool) -> Venue:
    now = one.clock.now_ms()
    return await one.db.write(lambda tx: furnish(tx, 1, one.product.box, now))


async def order(one: Pool, venue: Venue, *, phone: str = PHONE, contact_id: str | None = None, **more: Any) -> Order:
    """A cart that was sent, with everything in it that a guest may write."""
    now = one.clock.now_ms()

    async def work(tx: Tx) -> Order:
        menu = await load(tx, venue)
        item = next(item for item in menu.items if item.code == "soguk-su")
        line = price_line(menu, item.id, (), 2, now, "dine_in")
        assert isinstance(line, PricedLine)
        table = (await tables.every(tx, 1, venue.id))[0]
        tab_id = await tabs.join(tx, 1, venue.id, table.id, now)
        wish = [DishLine(item.id, 2, (), "gizli satır")]
        cart, _ = await carts.open_cart(
            tx, 1, venue.id, "dine_in", "tr", now, table_id=table.id, tab_id=tab_id, lines=wish, notes="gizli sepet"
        )
        await calls.call(tx, table, "waiter", "gizli çağrı", now)
        placing = Placing(
            account_id=1, venue_id=venue.id, day=days.day_of(venue, now), currency="TRY", accepts_by_itself=True,
            order_type="dine_in", payment_method="cash", lines=(msgspec.structs.replace(line, note="gizli satır"),),
            table_id=table.id, table_label=table.label, tab_id=tab_id, contact_id=contact_id, customer_phone=phone,
            customer_name="Ayşe", notes="gizli not", address="gizli sokak 5", route_url="https://x/?gizli", **more,
        )  # fmt: skip
        placed = await keeping.place(tx, placing, now, await carts.lock(tx, 1, cart.code))
        changed = await keeping.happen(
            tx, 1, placed.order.order_id, "cancel", "staff", "Elif", now, reason="gizli sebep"
        )
        return changed.order

    return await one.db.write(work)


async def find(one: Pool, order_id: str) -> Order:
    return await one.db.snapshot(lambda tx: keeping.find(tx, 1, order_id))


async def test_erasing_a_person_leaves_what_was_sold_and_nothing_of_him(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe")
        venue = await open_venue(one)
        known = await order(one, venue, contact_id=(await one.contact())["id"])
        # Typed by a waiter, before anybody knew whose number it is.
        unknown = await order(one, venue, contact_id=None)
        foreign = await order(one, venue, phone=OTHER)
        await one.db.write(
            lambda tx: carts.open_cart(
                tx, 1, venue.id, "takeaway", "tr", one.clock.now_ms(), phone=PHONE, name="Ayşe", notes="gizli soru"
            )
        )
        receipt = await erased(one)
        assert receipt["counts"]["orders"] == 2
        for before in (known, unknown):
            after = await find(one, before.order_id)
            assert (after.contact_id, after.customer_phone, after.customer_name, after.notes) == (None, "", "", "")
            assert (after.address, after.route_url) == ("", "")
            assert (after.total, after.state, after.created_at) == (before.total, before.state, before.created_at)
            assert [(line.name, line.quantity, line.note) for line in after.lines] == [("Su", 2, "")]
        assert (await find(one, foreign.order_id)).notes == "gizli not"
        everything = await whole_store(one)
        assert PHONE not in everything
        # Only the other guest's words are left: their note, line, cart, reason, address and route; the table's call is
        # of both of them.
        assert everything.count("gizli sepet") == 1
        assert "gizli soru" not in everything
        assert "gizli çağrı" not in everything


async def test_an_erased_guests_cart_makes_no_second_order(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe")
        venue = await open_venue(one)
        placed = await order(one, venue, contact_id=(await one.contact())["id"])
        await erased(one)
        assert placed.cart_code is not None
        cart = await one.db.snapshot(lambda tx: carts.find(tx, 1, str(placed.cart_code)))
        assert (cart.state, cart.phone, cart.notes) == ("ordered", "", "")


@pytest.mark.parametrize("route", ["POST /orders/{order_id:str}/{action:str}", "panel take"])
async def test_the_answers_that_were_kept_about_his_orders_go_too(database_url: str, route: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe")
        kept = {
            "account_id": 1, "key": "k1", "route": route, "fingerprint": "f",
            "state": "done", "status": 200, "body": json.dumps({"phone": f"+{PHONE}"}),
        }  # fmt: skip
        from sqlalchemy import insert

        from tablegram.storage.query import Query
        from tablegram.storage.tables import idempotency

        row = {name: kept[name] for name in kept if name in idempotency.c}
        for column in idempotency.c:
            if column.name not in row and not column.nullable and column.server_default is None:
                row[column.name] = one.clock.now_ms() if "at" in column.name else ""
        await one.db.put((Query(insert(idempotency).values(row)), {}))
        assert PHONE in await whole_store(one)
        await erased(one)
        assert PHONE not in await whole_store(one)


async def test_orders_follow_a_contact_that_is_merged(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe")
        await one.write(phone=OTHER, name="Ayşe iş")
        venue = await open_venue(one)
        gone, kept = (await one.contact())["id"], (await one.contact(OTHER))["id"]
        placed = await order(one, venue, contact_id=gone)
        assert (await one.call("POST", f"/contacts/{gone}/merge", {"into": kept})).status == 200
        for contact_id in (kept, gone):
            listed = (await one.call("GET", f"/contacts/{contact_id}/orders")).json()["data"]
            assert [found["order_id"] for found in listed] == [placed.order_id]


async def test_orders_follow_two_contacts_that_the_network_says_are_one(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe", phone="", user_id="TR.77")
        await one.write(name="Ayşe")
        venue = await open_venue(one)
        found = {view["id"] for view in (await one.call("GET", "/contacts")).json()["data"]}
        assert len(found) == 2
        placed = [await order(one, venue, phone="", contact_id=contact_id) for contact_id in sorted(found)]
        await one.write(name="Ayşe", user_id="TR.77")
        listed = (await one.call("GET", f"/contacts/{(await one.contact())['id']}/orders")).json()["data"]
        assert {view["order_id"] for view in listed} == {one.order_id for one in placed}


async def test_a_contacts_orders_are_listed_and_exported(database_url: str) -> None:
    async with pool(database_url) as one:
        await one.write(name="Ayşe")
        venue = await open_venue(one)
        contact_id = (await one.contact())["id"]
        placed = [await order(one, venue, contact_id=contact_id) for _ in range(3)]
        first = (await one.call("GET", f"/contacts/{contact_id}/orders", limit=2)).json()
        rest = (await one.call("GET", f"/contacts/{contact_id}/orders", limit=2, cursor=first["next_cursor"])).json()
        assert [view["order_id"] for view in [*first["data"], *rest["data"]]] == [
            one.order_id for one in reversed(placed)
        ]
        assert rest["next_cursor"] is None
        assert first["data"][0]["items"] == [{"name": "Su", "quantity": 2}]
        assert (first["data"][0]["total_amount"], first["data"][0]["currency"]) == (50.0, "TRY")
        (exported,) = (await one.call("GET", "/contacts/export")).json()["data"]
        assert [view["order_id"] for view in exported["orders"]] == [one.order_id for one in reversed(placed)]
        table = (await one.call("GET", "/contacts/export", format="csv")).body.decode()
        assert "orders,last_order_at,points,addresses" in table.splitlines()[0]
