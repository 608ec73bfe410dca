"""What guests order at GloriaFood is cooked once, at the price that they agreed to, and never told to them twice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid
from tablegram.flows.stores.services import StoreServices
from tablegram.flows.stores.source_desk import NewSourceFields
from tablegram.storage.database import Query
from tablegram.storage.tables import store_deliveries
from tablegram.stores.hearing import Heard, source_of, write_heard
from tablegram.stores.model import read_delivery
from tablegram.stores.rows import DeliveryRow
from tests.drained import drain_once
from tests.printing.kitchen import Kitchen
from tests.restaurant.flows.house import House, house

PHONE = "905320000021"
_DELIVERIES = Query(
    select(store_deliveries).where(store_deliveries.c.account_id == 1).order_by(store_deliveries.c.id), row=DeliveryRow
)


def dish(name: str, price: float, quantity: int = 1, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "item", "quantity": quantity, "total_item_price": price, "options": [], **more}


def order(number: int, *dishes: dict[str, Any], total: float, **more: Any) -> dict[str, Any]:
    return {
        "id": number, "type": "delivery", "status": "accepted", "currency": "TRY", "total_price": total,
        "payment": "ONLINE", "updated_at": "2026-03-13T08:00:00Z", "restaurant_name": "Kösem  sofrası",
        "client_first_name": "Nil", "client_last_name": "Ege", "client_phone": f"+{PHONE}", "client_address": "Liman Sk. 3",
        "instructions": "Zili çalmayın", "items": list(dishes), **more,
    }  # fmt: skip


class Elsewhere:
    """GloriaFood, as far as the house hears of it."""

    def __init__(self, one: House, source_id: str) -> None:
        self.house, self.source_id = one, source_id

    async def push(self, *orders: dict[str, Any], is_test: bool = False) -> list[tuple[str, str]]:
        """What was made of each, by the kitchen alone."""
        body = msgspec.json.encode({"count": len(orders), "orders": orders})
        heard = write_heard(Heard({"content-type": "application/json"}, body, is_test=is_test))
        await self.house.product.inbox.store(1, source_of(self.source_id), heard)
        await drain_once(self.house.product.inbox)
        newest = read_delivery((await self.house.db.all(_DELIVERIES))[-1])
        outcomes = [outcome for event in newest.events for outcome in event.outcomes]
        return [(outcome.code, outcome.detail) for outcome in outcomes if outcome.what == "kitchen_order"]


async def open_source(one: House) -> Elsewhere:
    wish: NewSourceFields = {
        "platform": "gloriafood",
        "name": "GloriaFood",
        "country": "TR",
        "currency": "TRY",
        "secret": "master",
    }
    made = await one.product.of(StoreServices).sources.create(one.caller("owner"), wish, Call("POST /stores/sources"))
    return Elsewhere(one, msgspec.to_builtins(made.value)["id"])


async def test_an_order_from_elsewhere_is_cooked_once_and_called_off_once(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(name="KÖSEM SOFRASI")
        await one.change_item("Lahmacun", vat=1_000)
        kitchen, elsewhere = Kitchen(one), await open_source(one)
        first = order(
            1, dish("LAHMACUN", 100.01, 2, instructions="acısız"), dish("Pizza Margherita", 90, options=[{"name": "Büyük"}]),
            {"name": "DELIVERY_FEE", "type": "delivery_fee", "quantity": 1, "total_item_price": 20}, total=210.01,
        )  # fmt: skip
        ((code, detail),) = await elsewhere.push(first)
        row = await one.order()
        assert (code, detail) == ("recorded", f"{row['order_id']}. Not on the menu: Pizza Margherita.")
        assert (row["state"], row["payment_state"], row["total"]) == ("sent_to_kitchen", "paid", 21_001)
        assert (row["order_type"], row["address"], row["customer_phone"]) == ("delivery", "Liman Sk. 3", PHONE)
        assert (row["customer_name"], row["contact_id"] is not None) == ("Nil Ege", True)
        lines = msgspec.json.decode(row["lines"])
        assert [
            (line["name"], line["quantity"], line["unit_price"], line["options"], line["note"]) for line in lines
        ] == [
            ("Lahmacun", 2, 5_000, [], "acısız"),
            ("Pizza Margherita", 1, 9_000, ["Büyük"], ""),
        ]
        assert (lines[0]["item_id"], lines[0]["vat"]) == (one.item("Lahmacun").id, 1_000)
        assert row["notes"] == "GloriaFood #1 · Menüde yok: Pizza Margherita · Zili çalmayın"
        assert len(await kitchen.tickets()) > 0
        assert len(await one.told("restaurant.order_created")) == 1

        # The same order again, in other company.
        printed = len(await kitchen.tickets())
        second = order(2, dish("Ayran", 30), total=25, payment="CASH", type="pickup")
        codes = [code for code, _ in await elsewhere.push(first, second)]
        assert codes == ["duplicate", "recorded"]
        rows = await one.placed()
        assert [(row["order_type"], row["payment_state"], row["payment_method"], row["total"]) for row in rows] == [
            ("delivery", "paid", "card_on_delivery", 21_001),
            ("takeaway", "unpaid", "cash", 2_500),
        ]
        assert len(await kitchen.tickets()) > printed

        # Called off there, and told again, also from before.
        gone = {**second, "status": "canceled", "updated_at": "2026-03-13T08:05:00Z"}
        assert [code for code, _ in await elsewhere.push(gone)] == ["cancelled"]
        assert [code for code, _ in await elsewhere.push(gone, first)] == ["duplicate", "duplicate"]
        assert [code for code, _ in await elsewhere.push(second, gone)] == ["older", "duplicate"]
        late = order(3, dish("Ayran", 30), total=30)
        assert await elsewhere.push({**late, "status": "canceled", "updated_at": "2026-03-13T09:00:00Z"}) == []
        assert [code for code, _ in await elsewhere.push(late)] == ["older"]
        assert [row["state"] for row in await one.placed()] == ["sent_to_kitchen", "cancelled"]

        # What cannot be cooked here says why.
        strange = [
            order(4, dish("Ayran", 30), total=30, restaurant_name="Another"),
            order(5, dish("Ayran", 30), total=30, currency="EUR"),
            order(6, dish("Ayran", 30), total=-1),
        ]
        found = await elsewhere.push(*strange)
        assert [code for code, _ in found] == ["off", "off", "off"]
        assert len({detail for _, detail in found}) == 3
        assert await elsewhere.push(order(7, dish("Ayran", 30), total=30), is_test=True) == []
        assert len(await one.placed()) == 2
        # A venue that was chosen cooks them, whatever it is called there.
        desk, owner = one.product.of(StoreServices).sources, one.caller("owner")
        with pytest.raises(Invalid, match="no such venue"):
            await desk.change(owner, elsewhere.source_id, {"venue_id": "ven_nobody"})
        shop: NewSourceFields = {"platform": "woocommerce", "name": "Shop", "venue_id": one.venue.id}
        with pytest.raises(Invalid, match="cooked here"):
            await desk.create(owner, shop, Call("POST /stores/sources"))
        await desk.change(owner, elsewhere.source_id, {"venue_id": one.venue.id})
        named = order(8, dish("Ayran", 30), total=30, restaurant_name="Another")
        assert [code for code, _ in await elsewhere.push(named)] == ["recorded"]
        assert len(await one.placed()) == 3
        # They have had their confirmation there.
        assert await one.said(PHONE) == []
