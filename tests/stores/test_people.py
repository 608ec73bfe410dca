"""Customers of shops: their orders follow them into an export, through a merge, and lose them in an erasure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import store_deliveries, store_orders
from tablegram.stores.store.retention import DELIVERY_DAYS, PURGES
from tablegram.values.clock import DAY_MS
from tests.stores.shops import PHONE, order, shop

pytestmark = pytest.mark.later

_DELIVERIES = across_accounts(select(store_deliveries), "a test")
_ORDERS = across_accounts(select(store_orders), "a test")
TRACES = ("Defne", "d@example.com", PHONE, "0532 000 00 01")


async def test_orders_are_exported_moved_in_a_merge_and_made_nobodys(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        other = {**one.source, **await one.api("POST", "/stores/sources", {"platform": "form", "name": "Form"}, 201)}
        await one.deliver("order.created", order())
        # Nobody can read this one, and it names them all the same.
        await one.deliver("order.created", b'{"id": 1, "phone": "' + PHONE.encode() + b'", ')
        form = json.dumps({"name": "Defne", "phone": "+90 532 000 00 01"}).encode()
        assert (await one.knock(form, {"Content-Type": "application/json"}, url=other["hook_url"]))[0] == 200
        await one.deliver(
            "order.created", order(id=7, number="7", billing={"first_name": "Efe", "phone": "05320000009"})
        )
        await one.work()
        mine, others = sorted(await one.orders(), key=lambda made: made["reference"])
        exported = (await one.api("GET", "/contacts/export"))["data"]
        held = {contact["id"]: contact["store_orders"] for contact in exported}
        assert [(made["number"], made["shop"], made["amount"]) for made in held[mine["contact_id"]]] == [
            ("#41", "Shop", 129.9)
        ]
        # Two contacts turn out to be one.
        kept = (await one.api("POST", "/contacts", {"phone": "905320000005"}, 201))["id"]
        await one.api("POST", f"/contacts/{mine['contact_id']}/merge", {"into": kept})
        assert [made["id"] for made in (await one.api("GET", f"/stores/orders?contact_id={kept}"))["data"]] == [
            mine["id"]
        ]
        receipt = await one.api("DELETE", f"/contacts/{kept}")
        assert receipt["counts"]["stores"] == 4
        gone = await one.api("GET", f"/stores/orders/{mine['id']}")
        assert (gone["name"], gone["phone"], gone["email"], gone["contact_id"], gone["amount"]) == (
            "",
            "",
            "",
            None,
            129.9,
        )
        rows = [*await one.running.api.db.all(_DELIVERIES), *await one.running.api.db.all(_ORDERS)]
        written = " ".join(str(dict(row)) for row in rows)
        assert [trace for trace in TRACES if trace in written] == []
        # Whoever else ordered is as they were.
        assert (await one.api("GET", f"/stores/orders/{others['id']}"))["name"] == "Efe"
        emptied = [each for each in await one.deliveries() if not each["events"]]
        assert len(emptied) == 3
        for each in emptied:
            await one.api("POST", f"/stores/deliveries/{each['id']}/replay", status=409)


# Its statements are made for the occasion.
@pytest.mark.both
async def test_deliveries_go_after_a_month_and_orders_stay(database_url: str, tmp_path: Path) -> None:
    async with shop(database_url, tmp_path) as one:
        await one.deliver("order.created", order())
        await one.work()
        now = one.running.api.clock.now_ms()
        deliveries = PURGES[0]
        assert await deliveries.forget(one.running.api.db, now - DAY_MS) == 0
        assert await deliveries.forget(one.running.api.db, now + DAY_MS) == 1
        assert deliveries.keep_ms(one.running.api.settings) == DELIVERY_DAYS * DAY_MS
        assert await one.deliveries() == []
        assert len(await one.orders()) == 1
