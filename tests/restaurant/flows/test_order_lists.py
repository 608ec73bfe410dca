"""Orders in a list: found by table and by dish, in the order of their sums, and added up."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.errors import Invalid
from tablegram.flows.inbox.services import InboxServices
from tablegram.flows.restaurant.fields import LineFields
from tablegram.restaurant.store.orders import Sort
from tablegram.values.cursor import encode_cursor
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later


async def order(one: House, table: str, *lines: LineFields) -> str:
    cart = await one.cart(*lines, table=table)
    await one.write(cart["text"])
    return str((await one.placed())[-1]["order_id"])


async def test_a_table_and_a_dish_find_their_orders_and_sums_are_right(database_url: str) -> None:
    async with house(database_url) as one:
        small = await order(one, "1", one.line("Künefe"))
        large = await order(one, "12", one.line("Lahmacun", 9))
        middle = await order(one, "1", one.line("Lahmacun", 2), one.line("Künefe"))

        async def found(q: str, **more: Any) -> list[str]:
            return [each.order_id for each in (await one.orders.page(one.staff, q=q, **more)).data]

        for q in ("masa 1", "MASA 1", "table 1", "Masa: 1", "1. masa", " table  1 "):
            assert await found(q) == [middle, small], q
        assert await found("masa 12") == [large]
        assert await found("masa 2") == []
        # In any letters and from the beginning of a word; what stands in the data besides is no dish.
        for q in ("künefe", "KUNEFE", "kün"):
            assert await found(q) == [middle, small], q
        assert await found("lahmacun") == [middle, large]
        for q in ("item_id", "quantity", "unefe", '":"', "%", "_"):
            assert await found(q) == [], q
        # A dish that has got another name since is found by that too.
        await one.change_item("Lahmacun", kitchen_name="FINDIK")
        for q in ("fındık", "fı"):
            assert await found(q) == [middle, large], q
        assert await found("lahmacun") == [middle, large]
        # A number alone is an order's or a guest's, and no dish.
        await one.change_item("Künefe", kitchen_name="8080 TATLI")
        assert await found("8080 tatlı") == [middle, small]
        assert await found("8080") == []

        assert await found("", sort="-total") == [large, middle, small]
        paged, cursor = [], None
        while True:
            page = await one.orders.page(one.staff, sort="total", limit=1, cursor=cursor)
            paged += [each.order_id for each in page.data]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert paged == [small, middle, large]
        assert await found("", sort="placed") == [small, large, middle]
        for wrong in ("x", "1", "x:y", f"{'9' * 30}:z"):
            with pytest.raises(Invalid):
                await found("", cursor=encode_cursor(wrong))

        rows = {row["order_id"]: row["total"] for row in await one.placed()}
        sums = await one.orders.sums(one.staff, "masa 1")
        assert (sums.count, sums.amounts) == (2, {"TRY": rows[small] + rows[middle]})
        await one.act(small, "cancel")
        sums = await one.orders.sums(one.staff, "masa 1")
        assert (sums.count, sums.amounts) == (2, {"TRY": rows[middle]})
        stranger = one.caller(account_id=2)
        assert (await one.orders.sums(stranger, "künefe")).count == 0
        assert (await one.orders.page(stranger, q="künefe")).data == []


async def test_who_is_told_that_somebody_will_answer_still_waits(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("Merhaba, dün çantamı sizde unuttum galiba")
        (told,) = await one.pool.messages("out")
        assert told["sent_by"] == "auto:passed_on", told["text"]
        talks = one.product.of(InboxServices).conversations
        assert len((await talks.page(one.staff, waiting=True)).data) == 1
        cart = await one.cart()
        await one.write(cart["text"])
        assert (await one.pool.messages("out"))[-1]["sent_by"] == "auto:order"
        assert (await talks.page(one.staff, waiting=True)).data == []


async def test_orders_of_one_sum_are_each_on_one_page_and_say_why_they_ended(database_url: str) -> None:
    async with house(database_url) as one:
        placed = [await order(one, table, one.line("Künefe")) for table in ("1", "2", "3")]
        sorts: list[Sort] = ["total", "-total"]
        for sort in sorts:
            paged, cursor = list[str](), None
            for _ in range(4):
                page = await one.orders.page(one.staff, sort=sort, limit=1, cursor=cursor)
                paged += [each.order_id for each in page.data]
                cursor = page.next_cursor
                if cursor is None:
                    break
            assert sorted(paged) == sorted(placed), sort
        # What is said of its money later is not why it ended.
        await one.act(placed[0], "pay", "owner")
        await one.act(placed[0], "cancel", "owner", reason="No fish")
        await one.act(placed[0], "refund", "owner", reason="Paid back by card")
        shown = {each.order_id: each for each in (await one.orders.page(one.staff)).data}
        assert shown[placed[0]].reason == "No fish"
