"""An order that went through by itself is nobody's unread message; what people have to look at stays one."""

from __future__ import annotations

import pytest

from tablegram.crm import conversations
from tests.crm.pool import OTHER
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later


async def unread(one: House) -> int:
    return await one.db.snapshot(lambda tx: conversations.count_unread(tx, 1, one.clock.now_ms()))


async def test_an_order_that_needed_nobody_is_not_unread(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun ve bir künefe lütfen, masa 4")
        await one.order()
        assert await unread(one) == 0
        one.clock.advance(60)
        await one.write("bir lahmacun daha, masa 4")
        assert len(await one.placed()) == 2
        assert await unread(one) == 0
        one.clock.advance(60)
        await one.write("elinize sağlık")
        assert await unread(one) == 1


async def test_what_waited_to_be_read_before_an_order_still_does(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("the soup was cold yesterday, I am not happy")
        assert await unread(one) == 1
        one.clock.advance(60)
        await one.write("two lahmacun please, table 4")
        await one.order()
        assert await unread(one) == 1


async def test_what_is_read_back_is_nobodys_business_and_what_is_unclear_is(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        for text in ("can we get two lahmacun please", "table 4", "yes"):
            await one.write(text)
            one.clock.advance(60)
        assert len(await one.placed()) == 1
        assert await unread(one) == 0
        await one.write("2 kebap masa 4", OTHER)
        assert await unread(one) == 1
