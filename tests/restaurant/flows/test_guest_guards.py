"""What a guest who means harm gets: other people's phones, tables and carts are not his to use."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.errors import Invalid, NotFound
from tablegram.flows.restaurant.texts.said import MAX_ANSWERS
from tablegram.restaurant.carts import tabs
from tests.crm.pool import PHONE
from tests.restaurant.flows.house import House, house

STRANGER = "905550007777"
LURE = "lure.example"


async def _order_for(one: House, phone: str, **fields: Any) -> dict[str, Any]:
    cart = await one.cart(one.line("Lahmacun", note=LURE), table=None, order_type="takeaway")
    form = {"phone": phone, "name": LURE, "notes": LURE, **fields}
    return await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)


async def test_a_typed_number_hears_of_the_order_but_nothing_in_a_strangers_words(database_url: str) -> None:
    async with house(database_url) as one:
        order = await _order_for(one, STRANGER)
        (text,) = await one.said(STRANGER)
        assert order["order_id"] in text
        assert LURE not in text
        # Whoever wrote himself is called by his name and reads his own notes.
        cart = await one.cart(one.line("Lahmacun", note="az acılı"))
        await one.write(cart["text"], name="Ayşe")
        (own,) = await one.said(PHONE)
        assert "Ayşe" in own
        assert "az acılı" in own


async def test_a_typed_number_is_not_flooded(database_url: str) -> None:
    async with house(database_url) as one:
        for _ in range(MAX_ANSWERS + 3):
            await _order_for(one, STRANGER)
        assert len(await one.said(STRANGER)) == MAX_ANSWERS
        # The kitchen has them all; only the messages end.
        assert len(await one.placed()) == MAX_ANSWERS + 3


async def test_who_only_says_where_he_sits_neither_sees_nor_empties_the_carts_of_those_who_proved_it(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        proved = await one.cart(one.line("Künefe"))
        seat = await one.guests.seat(one.venue.id, "5", None)
        said = await one.guests.open_cart(seat, {"lines": [one.line("Lahmacun")]})
        mine = (one.venue, said["code"], said["holder"])
        assert (await one.guests.table_view(*mine))["others"] == []
        assert [line["name"] for line in (await one.guests.bring_together(*mine))["lines"]] == ["Lahmacun"]
        still = await one.guests.cart(one.venue, proved["code"], proved["holder"])
        assert len(still["lines"]) == 1
        both = await one.guests.bring_together(one.venue, proved["code"], proved["holder"])
        assert len(both["lines"]) == 2


async def test_an_order_from_the_page_belongs_to_the_tab_that_is_open_now(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe"))
        table = await one.table("5")
        one.clock.advance(tabs.IDLE_MS // 1_000 + 60)
        await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], {})
        now = one.clock.now_ms()
        open_tab = await one.db.write(lambda tx: tabs.join(tx, 1, one.venue.id, table.id, now))
        assert (await one.order())["tab_id"] == open_tab


async def test_more_than_an_order_can_come_to_is_refused_in_words_and_fails_no_message(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe", 3))
        await one.change_item("Künefe", price=10**12 - 1)
        with pytest.raises(Invalid) as refused:
            await one.cart(one.line("Künefe", 2))
        assert refused.value.errors[0].code == "total_too_large"
        await one.write(cart["text"])
        assert len(await one.pool.messages("in")) == 1
        assert len(await one.said()) == 1
        assert await one.placed() == []


async def test_ids_that_no_menu_has_room_for_are_not_kept(database_url: str) -> None:
    async with house(database_url) as one:
        line = one.line("Lahmacun")
        for wrong in ({**line, "item_id": "x" * 65}, {**line, "choices": [{"option_id": "x" * 65}]}):
            with pytest.raises(Invalid) as refused:
                await one.cart(wrong)
            assert refused.value.errors[0].code == "too_long"


async def test_guests_order_nothing_where_nobody_would_see_it(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe"))
        accounts = Accounts(one.db, one.clock)
        await accounts.suspend(1)
        for venue_id in (one.venue.id, None):
            with pytest.raises(NotFound):
                await one.guests.seat(venue_id, "5", None)
        await one.write(cart["text"])
        assert len(await one.pool.messages("in")) == 1
        assert await one.placed() == []
        await accounts.resume(1)
        await one.write(cart["text"])
        assert len(await one.placed()) == 1
