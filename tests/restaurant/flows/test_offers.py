"""The box for offers on the menu page: only where the venue asks, never ticked by itself, noted once the guest's phone has sent the cart."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tablegram.crm.consent import ledger, texts
from tablegram.errors import Invalid
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later


async def _asks(one: House) -> None:
    await one.change_venue(details={"asks_for_offers": True})
    now = one.clock.now_ms()
    for language, words in (("tr", "Kampanyaları yazın"), ("en", "Tell me"), ("en", "Tell me about offers")):
        await one.db.write(
            partial(lambda tongue, said, tx: texts.write(tx, 1, tongue, said, "Elif", now), language, words)
        )


async def _said(one: House, phone: str = PHONE) -> list[ledger.Word]:
    contact = await one.pool.contact(phone)
    return await one.db.snapshot(lambda tx: ledger.of_contact(tx, 1, contact["id"]))


async def test_the_house_asks_in_its_own_words_and_only_where_it_is_switched_on(database_url: str) -> None:
    async with house(database_url) as one:
        assert (await one.guests.standing(one.venue))["offers"] == {}
        await one.change_venue(details={"asks_for_offers": True})
        # Without a sentence there is nothing to agree to.
        assert (await one.guests.standing(one.venue))["offers"] == {}
        await _asks(one)
        assert (await one.guests.standing(one.venue))["offers"] == {
            "tr": {"version": "tr-1", "words": "Kampanyaları yazın"},
            "en": {"version": "en-2", "words": "Tell me about offers"},
        }
        assert (await one.cart())["offers"] == ""
        for wrong in ("en-3", "xx-1", "yes", "tr-1 "):
            with pytest.raises(Invalid):
                await one.cart(offers=wrong)
        await one.change_venue(details={"asks_for_offers": False})
        with pytest.raises(Invalid):
            await one.cart(offers="en-2")


async def test_what_was_ticked_is_noted_when_the_guests_own_phone_sends_the_cart(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await _asks(one)
        cart = await one.cart()
        mine = (one.venue, cart["code"], cart["holder"])
        ticked = one.clock.now_ms()
        changed = await one.guests.change_cart(*mine, {"offers": "en-2"})
        assert changed["offers"] == "en-2"
        one.clock.advance(60)
        # What is changed besides leaves it, and its time, alone.
        changed = await one.guests.change_cart(*mine, {"notes": "no onions"})
        assert changed["offers"] == "en-2"
        await one.write(changed["text"])
        (word,) = await _said(one)
        assert (word.state, word.source, word.text_version, word.at) == ("granted", "menu", "en-2", ticked)
        order = await one.order()
        assert word.proof == f"order {order['order_id']}, cart #{cart['code']}"
        assert (await one.pool.contact())["consent"]["state"] == "granted"
        assert [body["event"] for body in await one.told("contact.opted")] == ["contact.opted_in"]
        # The same text again is no second word; a cart without a tick is none at all.
        await one.write(changed["text"])
        await one.write((await one.cart(table="6"))["text"])
        assert len(await _said(one)) == 1


async def test_who_unticks_it_or_stops_after_it_gets_no_offers(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await _asks(one)
        cart = await one.cart(offers="tr-1")
        await one.guests.change_cart(one.venue, cart["code"], cart["holder"], {"offers": ""})
        await one.write(cart["text"])
        assert await _said(one) == []
        ticked = await one.cart(table="6", offers="tr-1")
        one.clock.advance(5)
        await one.write("unsubscribe")
        one.clock.advance(5)
        await one.write(ticked["text"])
        assert (await one.pool.contact())["consent"]["state"] == "denied"


async def test_a_number_that_was_only_typed_agrees_to_nothing(database_url: str) -> None:
    async with house(database_url, with_api=True, accepts=False) as one:
        await _asks(one)
        await one.write("merhaba", OTHER)
        cart = await one.cart(offers="en-2")
        form: dict[str, Any] = {"name": "Somebody", "phone": OTHER}
        order = await one.guests.order_from_page(one.venue, cart["code"], cart["holder"], form)
        assert await _said(one, OTHER) == []
        # A stranger who sends the code agrees for nobody; the number itself does.
        await one.write(f"{order['order_id']} #{cart['code']}", PHONE)
        assert (await _said(one, OTHER), await _said(one, PHONE)) == ([], [])
        await one.write(f"{order['order_id']} #{cart['code']}", OTHER)
        (word,) = await _said(one, OTHER)
        assert (word.state, word.text_version) == ("granted", "en-2")
