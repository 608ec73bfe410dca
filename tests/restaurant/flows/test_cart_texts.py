"""The text of a cart makes one order at the menu's prices, however often and however changed it arrives."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.errors import Invalid
from tablegram.flows.restaurant.texts.cart_texts import MAX_REPEATS
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.once

SPEC_FIELDS = (
    "event", "order_id", "order_type", "table_number", "waiter_assigned", "customer", "items", "notes", "total_amount",
    "payment_method", "status",
)  # fmt: skip
SPEC_ITEM = ("name", "quantity", "unit_price", "options", "station")


@pytest.mark.later
async def test_a_cart_text_makes_one_order_its_event_and_a_confirmation(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        cart = await one.cart(one.line("Lahmacun", 2), one.line("Ayran"), notes="Acele yok")
        await one.write(cart["text"])
        order = await one.order()
        assert order["order_id"] == "ORD-20270115-0001"
        assert order["total"] == cart["total"] > 0
        (body,) = await one.told()
        assert tuple(body)[: len(SPEC_FIELDS)] == SPEC_FIELDS
        assert tuple(body["items"][0])[: len(SPEC_ITEM)] == SPEC_ITEM
        contact = await one.pool.contact()
        assert {name: body[name] for name in SPEC_FIELDS if name != "items"} == {
            "event": "restaurant.order_created",
            "order_id": "ORD-20270115-0001",
            "order_type": "dine_in",
            "table_number": "5",
            "waiter_assigned": "Elif",
            "customer": {"phone": f"+{PHONE}", "name": "Ayşe"},
            "notes": "Acele yok",
            "total_amount": cart["total"] / 100,
            "payment_method": "pos_at_table",
            "status": "sent_to_kitchen",
        }
        assert body["contact_id"] == contact["id"]
        assert [(item["name"], item["quantity"], item["station"]) for item in body["items"]] == [
            ("Lahmacun", 2, "kitchen"),
            ("Ayran", 1, "bar"),
        ]
        (said,) = await one.said()
        assert "ORD-20270115-0001" in said
        assert "2 × Lahmacun" in said
        assert "/api/v1/menu/orders/" in said
        assert "confirmed" in said


@pytest.mark.later
async def test_the_status_link_opens_the_order_and_no_other_token_does(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.write(cart["text"])
        (said,) = await one.said()
        token = said.split("/menu/orders/")[1].split()[0]
        shown = await one.guests.order_status(token)
        assert (shown["order_id"], shown["status"], shown["total"]) == (
            "ORD-20270115-0001", "sent_to_kitchen", cart["total"],
        )  # fmt: skip
        for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), token[:26], "", "x" * 42, token + "x"):
            with pytest.raises(Exception, match="no such order"):
                await one.guests.order_status(wrong)


@pytest.mark.later
async def test_the_same_text_twenty_times_at_once_is_one_order(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.write_at_once([(cart["text"], PHONE, f"wamid.same{number}") for number in range(20)])
        assert len(await one.placed()) == 1
        assert [body["event"] for body in await one.told()] == ["restaurant.order_created"]
        # Confirmed once, and told that it is ordered; but not for ever.
        assert len(await one.said()) == 1 + MAX_REPEATS
        assert await one.history() == ["place"]
        assert len(await one.pool.messages("in")) == 20


@pytest.mark.later
async def test_a_text_that_comes_again_is_answered_briefly(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.write(cart["text"])
        await one.write(cart["text"])
        assert len(await one.placed()) == 1
        _first, again = await one.said()
        assert "already" in again
        assert "ORD-20270115-0001" in again
        assert "/menu/orders/" in again


@pytest.mark.later
async def test_two_phones_at_one_table_share_a_tab_and_make_two_orders(database_url: str) -> None:
    async with house(database_url) as one:
        mine, yours = await one.cart(), await one.cart(one.line("Künefe"))
        await one.write_at_once([(mine["text"], PHONE, "wamid.a"), (yours["text"], OTHER, "wamid.b")])
        first, second = await one.placed()
        assert first["tab_id"] == second["tab_id"] is not None
        assert {first["order_id"], second["order_id"]} == {"ORD-20270115-0001", "ORD-20270115-0002"}
        assert len(await one.said(PHONE)) == len(await one.said(OTHER)) == 1


@pytest.mark.later
async def test_one_guest_sends_for_the_whole_table(database_url: str) -> None:
    async with house(database_url) as one:
        mine, yours = await one.cart(one.line("Ayran")), await one.cart(one.line("Künefe"))
        seen = await one.guests.table_view(one.venue, mine["code"], mine["holder"])
        assert [line["name"] for other in seen["others"] for line in other["lines"]] == ["Künefe"]
        both = await one.guests.bring_together(one.venue, mine["code"], mine["holder"])
        await one.write(both["text"])
        assert len((await one.told())[0]["items"]) == 2
        # What is one's own is nobody else's, also before the page has heard of it.
        assert (await one.guests.table_view(one.venue, mine["code"], mine["holder"]))["ordered"] == []
        (theirs,) = (await one.guests.table_view(one.venue, yours["code"], yours["holder"]))["ordered"]
        assert theirs["order_id"] == (await one.order())["order_id"]
        empty = await one.guests.cart(one.venue, yours["code"], yours["holder"])
        assert empty["lines"] == []


async def test_a_price_that_changed_in_between_is_the_menus(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2))
        await one.change_item("Lahmacun", price=99_900)
        await one.write(cart["text"])
        assert (await one.order())["total"] == 2 * 99_900
        assert "1,998.00" in (await one.said())[0]


@pytest.mark.later
async def test_what_sold_out_in_between_is_told_kindly_and_the_rest_waits_under_the_same_code(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2), one.line("Künefe"))
        await one.sell_out("Künefe")
        await one.write(cart["text"])
        assert await one.placed() == []
        (said,) = await one.said()
        assert "sorry" in said
        assert "Künefe" in said
        assert cart["code"] in said
        assert "2 × Lahmacun" in said
        fixed = await one.guests.cart(one.venue, cart["code"], cart["holder"])
        assert [line["name"] for line in fixed["lines"]] == ["Lahmacun"]
        assert fixed["troubles"] == []
        await one.write(f"ok #{cart['code']}")
        order = await one.order()
        assert order["total"] == 2 * one.item("Lahmacun").price


async def test_when_nothing_is_left_nothing_is_ordered(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Künefe"), language="tr")
        await one.sell_out("Künefe")
        await one.write(cart["text"])
        await one.write(cart["text"])
        assert await one.placed() == []
        first, second = await one.said()
        assert "Üzgünüz" in first
        assert "Künefe" in first
        assert "Sepetiniz boş" in second


@pytest.mark.later
async def test_a_cart_sent_after_the_last_order_is_kept_until_the_kitchen_opens(database_url: str) -> None:
    async with house(database_url) as one:
        # From eleven in the morning to three at night.
        one.clock.advance(16 * 3_600)
        cart = await one.cart()
        await one.write(cart["text"])
        assert await one.placed() == []
        (said,) = await one.said()
        assert "no orders right now" in said
        assert "08:00" in said
        one.clock.advance(6 * 3_600)
        await one.write(cart["text"])
        assert (await one.order())["order_id"] == "ORD-20270116-0001"


async def test_a_cart_of_another_account_cannot_be_ordered(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.pool.write(cart["text"], account=2)
        assert await one.placed() == []
        assert await one.placed(2) == []
        assert (await one.guests.cart(one.venue, cart["code"], cart["holder"]))["state"] == "open"


async def test_a_forged_code_orders_nothing(database_url: str) -> None:
    from tablegram.restaurant.carts.codes import new_code, show

    async with house(database_url) as one:
        await one.write(f"2 Lahmacun #{show(new_code())}")
        assert await one.placed() == []
        (said,) = await one.said()
        assert "found no cart" in said or "bulamadık" in said


async def test_an_edited_text_changes_nothing_but_finds_its_cart(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2))
        edited = f"100 × Künefe\n*Total: ₺1.00*\n> kod : *#{cart['code'].lower()}* 🙏"
        await one.write(edited)
        (body,) = await one.told()
        assert [(item["name"], item["quantity"]) for item in body["items"]] == [("Lahmacun", 2)]


async def test_a_misspelt_code_is_told_from_an_unknown_one(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        code = cart["code"]
        # A digit for a digit: without any it would be a word.
        others = "23" if code[-1].isdigit() else "CD"
        wrong = code[:-1] + others[code[-1] == others[0]]
        await one.write(f"Order\nCode: #{wrong}")
        assert await one.placed() == []
        (said,) = await one.said()
        assert wrong in said
        assert "letter" in said


async def test_a_stranger_who_sends_a_code_again_learns_nothing_of_the_order(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.write(cart["text"])
        for _ in range(5):
            await one.write(cart["text"], OTHER)
        assert len(await one.placed()) == 1
        strangers = await one.said(OTHER)
        assert 1 <= len(strangers) <= 3
        assert not any("ORD-" in text or "/menu/orders/" in text for text in strangers)


async def test_an_old_cart_is_not_ordered(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        one.clock.advance(25 * 3_600)
        await one.write(cart["text"])
        assert await one.placed() == []
        assert "too old" in (await one.said())[0]


async def test_a_text_that_was_held_up_for_hours_is_not_cooked(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        await one.write(cart["text"], ago_s=7_200)
        assert await one.placed() == []
        assert "too late" in (await one.said())[0] or "geç" in (await one.said())[0]


async def test_names_of_every_kind_come_through_whole(database_url: str) -> None:
    names = ["أحمد", "🧑‍🍳 Şef", "<script>alert(1)</script>", "Robert'); DROP TABLE", "a" * 500]
    async with house(database_url) as one:
        for number, name in enumerate(names):
            cart = await one.cart(one.line("Lahmacun", note=f"{name[:40]} için"))
            await one.write(cart["text"], f"90555111224{number}", name=name)
            body = (await one.told())[-1]
            assert body["customer"]["name"] == name[:80]
            assert body["items"][0]["note"] == f"{name[:40]} için"


async def test_a_cart_of_a_thousand_lines_is_refused_in_words(database_url: str) -> None:
    async with house(database_url) as one:
        with pytest.raises(Invalid) as refused:
            await one.cart(*[one.line("Ayran", note=str(number)) for number in range(1_000)])
        assert refused.value.code == "too_many_lines"
        assert "1,000" in refused.value.detail


async def test_an_order_is_made_even_when_nobody_can_pay_for_the_message(database_url: str) -> None:
    async with house(database_url, billing="prepaid") as one:
        await _spend(one)
        cart = await one.cart()
        await one.write(cart["text"])
        assert len(await one.placed()) == 1
        assert await one.said() == []


async def _spend(one: House) -> None:
    from tablegram.storage.database import Query
    from tablegram.storage.tables import accounts

    spent: Any = accounts.update().where(accounts.c.id == 1)
    await one.db.put((Query(spent.values(quota_used=10**6, quota_started_at=one.clock.now_ms())), {}))
