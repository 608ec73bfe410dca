"""A table's code that is changed ends the carts that were opened with the old one, and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.errors import Forbidden, Gone
from tablegram.restaurant import tables
from tablegram.restaurant.carts import keeping as carts
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house
from tests.storage.opened import opened

KIND = "code on your table has changed"


async def rotate(one: House, label: str = "5") -> None:
    table = await one.table(label)
    await one.db.write(lambda tx: tables.rotate(tx, 1, one.venue.id, table.id))


async def state(one: House, cart: dict[str, Any]) -> str:
    return (await one.db.snapshot(lambda tx: carts.find(tx, 1, cart["code"]))).state


async def refusal(work: Any) -> str:
    with pytest.raises(Gone) as refused:
        await work
    assert "Scan it again" in refused.value.detail
    return refused.value.code


async def test_a_cart_of_the_old_code_is_refused_on_the_page_in_plain_words(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        mine = one.venue, cart["code"], cart["holder"]
        await rotate(one)
        for work in (
            one.guests.cart(*mine),
            one.guests.change_cart(*mine, {"notes": "more"}),
            one.guests.bring_together(*mine),
            # Who sits there now is not seen with what was proved by the old one.
            one.guests.table_view(*mine),
            one.guests.order_from_page(*mine, {"phone": PHONE}),
        ):
            assert await refusal(work) == "table_code_changed"
        assert await one.placed() == []


async def test_the_text_of_such_a_cart_orders_nothing_and_is_answered_kindly(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await rotate(one)
        await one.write(cart["text"])
        assert await one.placed() == []
        (said,) = await one.said()
        assert KIND in said
        turkish = await one.cart(language="tr")
        await rotate(one)
        await one.write(turkish["text"])
        assert "kod değişti" in (await one.said())[-1]


async def test_who_scans_the_new_code_orders_with_it(database_url: str) -> None:
    async with house(database_url) as one:
        await one.cart()
        await rotate(one)
        fresh = await one.cart()
        await one.write(fresh["text"])
        assert (await one.order())["table_label"] == "5"


async def test_other_tables_unproved_guests_and_orders_are_left_as_they_are(database_url: str) -> None:
    async with house(database_url) as one:
        placed = await one.cart()
        await one.write(placed["text"])
        neighbour = await one.cart(table="6")
        takeaway = await one.cart(table=None, order_type="takeaway")
        seat = await one.guests.seat(one.venue.id, "5", None)
        unproved = await one.guests.open_cart(seat, {"lines": [one.line("Lahmacun")], "language": "en"})
        await rotate(one)
        assert [await state(one, cart) for cart in (placed, neighbour, takeaway, unproved)] == [
            "ordered", "open", "open", "open",
        ]  # fmt: skip
        assert (await one.order())["state"] == "sent_to_kitchen"
        shown = await one.guests.cart(one.venue, placed["code"], placed["holder"])
        assert shown["order"]["order_id"] == (await one.order())["order_id"]
        await one.write(neighbour["text"])
        await one.write(unproved["text"])
        assert [row["table_label"] for row in await one.placed()] == ["5", "6", "5"]


async def test_all_codes_at_once_end_the_carts_of_all_tables(database_url: str) -> None:
    async with house(database_url) as one:
        made = [await one.cart(table=label) for label in ("5", "6")]
        away = await one.cart(table=None, order_type="takeaway")
        await one.db.write(lambda tx: tables.rotate_all(tx, 1, one.venue.id))
        assert [await state(one, cart) for cart in (*made, away)] == ["expired", "expired", "open"]


async def test_guests_who_left_hear_that_their_cart_is_old_and_not_that_a_code_changed(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.product.bills.close_table(one.caller("owner"), one.venue.id, (await one.table("5")).id, "Left")
        await rotate(one)
        with pytest.raises(Gone) as refused:
            await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"notes": "x"})
        assert refused.value.code == "cart_expired"


async def test_a_code_that_changes_while_a_guest_sits_down_opens_no_cart(database_url: str) -> None:
    async with house(database_url) as one:
        seat = await one.seat("5")
        await rotate(one)
        with pytest.raises(Forbidden) as refused:
            await one.guests.open_cart(seat, {"lines": [one.line("Lahmacun")]})
        assert refused.value.code == "table_code_invalid"


async def test_a_cart_that_is_sent_while_the_code_changes_is_ordered_or_refused_and_never_both(
    database_url: str,
) -> None:
    async with house(database_url) as one, opened(database_url) as other:
        table = await one.table("5")
        for number in range(8):
            cart = await one.cart()
            before, said = len(await one.placed()), len(await one.said())

            async def change() -> None:
                await other.write(lambda tx: tables.rotate(tx, 1, one.venue.id, table.id))

            send = one.write(cart["text"])
            await asyncio.gather(*((send, change()) if number % 2 else (change(), send)))
            ordered = len(await one.placed()) - before
            answers = (await one.said())[said:]
            assert len(answers) == 1
            if ordered:
                assert (await state(one, cart), "confirmed" in answers[0]) == ("ordered", True)
            else:
                assert (await state(one, cart), KIND in answers[0]) == ("expired", True)
