"""An order and the bill, the waiter or a question in one text: both get their answer."""

from __future__ import annotations

import pytest

from tests.crm.pool import OTHER
from tests.restaurant.flows.house import House, house, texts_of

pytestmark = pytest.mark.once
THIRD = "905551110003"


async def calls(one: House) -> list[tuple[str, str]]:
    return [(told["kind"], told["note"]) for told in await one.told("restaurant.waiter_called")]


async def test_who_orders_and_wants_the_bill_or_the_waiter_gets_both(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 adana masa 4")
        await one.write("2 çay alalım bir de hesap")
        assert [order["table_label"] for order in await one.placed()] == ["4", "4"]
        assert await calls(one) == [("bill", "")]
        assert "hesap" in (await one.said())[-2]
        await one.write("table 8: two colas, and can someone bring us the high chair?", OTHER)
        assert await calls(one) == [("bill", ""), ("waiter", "can someone bring us the high chair?")]
        assert len(await one.placed()) == 3
        # How a dish is to come, and when, calls nobody.
        await one.write("masa 1'e 1 tavuklu sezar, sosu ayrı gelsin", THIRD)
        await one.write("kolay gelsin, 2 çay masa 5", THIRD)
        assert len(await calls(one)) == 2


async def test_who_orders_and_asks_hears_the_answer_and_sees_the_order_before_it_is_cooked(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 künefe masa 9, fıstık var mı içinde?")
        answer, shown = await one.said()
        assert "Künefe" in answer
        assert "Baklava" not in answer
        assert "2 × Künefe" in shown
        assert await one.placed() == []
        await one.write("evet")
        assert [order["table_label"] for order in await one.placed()] == ["9"]
        # What the order costs is read back with it.
        await one.write("2 adana 1 ayran masa 6, ne kadar tutar?", OTHER)
        (shown,) = await one.said(OTHER)
        assert "₺765,00" in shown
        # What only people know rings, and the order is read back all the same.
        await one.write("masa 4: 2 lahmacun 1 kola. wifi şifresi nedir?", THIRD)
        assert "arkadaşımız" in (await one.said(THIRD))[0]
        assert await calls(one) == [("waiter", "wifi şifresi nedir?")]
        assert "2 × Lahmacun" in (await one.said(THIRD))[1]
        assert len(await one.placed()) == 1
        assert texts_of(one).readings.made_late == 0
