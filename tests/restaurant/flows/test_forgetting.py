"""What guests left behind is forgotten in its time; what was sold is not."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from tablegram.engine.purging import Retention
from tablegram.restaurant import calls, tables
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.carts import keeping as carts
from tablegram.storage.database import Query, Tx
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import carts as cart_rows
from tablegram.storage.tables import orders, tabs, waiter_calls
from tests.crm.pool import OTHER, PHONE, Pool, pool
from tests.restaurant.flows.house import house
from tests.restaurant.flows.test_customers import open_venue, order

pytestmark = pytest.mark.later


async def counts(one: Pool) -> list[int]:
    found = []
    for table in (cart_rows, waiter_calls, tabs, orders):
        query = Query(across_accounts(select(func.count().label("n")).select_from(table), "a test counts"))
        row = await one.db.first(query)
        found.append(0 if row is None else int(row["n"]))
    return found


async def test_what_came_to_nothing_goes_within_hours_carts_after_a_month_and_calls_after_a_season_but_orders_stay(
    database_url: str,
) -> None:
    async with pool(database_url) as one:
        venue = await open_venue(one)
        await order(one, venue)

        async def leave(tx: Tx) -> None:
            now = one.clock.now_ms()
            await carts.open_cart(tx, 1, venue.id, "takeaway", "tr", now)
            table, other = (await tables.every(tx, 1, venue.id))[:2]
            (call,) = await calls.waiting(tx, 1, venue.id)
            await calls.answer(tx, 1, venue.id, call.id, "Elif", now)
            tab = await bills.open_at(tx, 1, table.id)
            assert tab is not None
            await bills.close(tx, await bills.lock(tx, 1, tab.id), "they have gone", "Elif", now)
            # Nobody ever went there.
            await calls.call(tx, other, "bill", "", now)

        await one.db.write(leave)
        retention = one.product.retention
        assert await counts(one) == [2, 2, 1, 1]
        # A cart lives for four hours, and for two more whoever sends it hears why that is too late.
        one.clock.advance(6 * 3_600)
        assert (await retention.purge())["abandoned_carts"] == 0
        one.clock.advance(1)
        assert (await retention.purge())["abandoned_carts"] == 1
        assert await counts(one) == [1, 2, 1, 1]
        one.clock.advance(30 * 86_400)
        assert (await retention.purge())["carts"] == 1
        assert await counts(one) == [0, 2, 1, 1]
        one.clock.advance(60 * 86_400)
        gone = await retention.purge()
        assert (gone["calls"], gone["tabs"]) == (2, 1)
        assert await counts(one) == [0, 0, 0, 1]


async def test_who_orders_without_writing_is_not_silent(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await one.write("merhaba")
        await one.write("merhaba", OTHER)
        rules = {"message_days": 0, "contact_days": 180}
        assert (await one.pool.call("PATCH", "/retention", rules)).status == 200
        one.clock.advance(200 * 86_400)
        cart = await one.cart(table=None, order_type="takeaway")
        form = {"name": "Ayşe", "phone": PHONE}
        await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)
        gone = await one.product.of(Retention).purge()
        assert gone["silent_contacts"] == 1
        assert (await one.pool.contact(PHONE))["phones"] == [PHONE]
