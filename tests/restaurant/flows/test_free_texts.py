"""What a guest just writes is an order, a question to them, or somebody else's business; never a wrong order."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.flows.restaurant.orders.telling import Telling
from tablegram.restaurant import calls
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house

# How texts are understood is the same on every database; what happens at once, or fails inside, is marked.
pytestmark = pytest.mark.once


async def names(one: House) -> list[tuple[str, int]]:
    (body,) = await one.told()
    return [(item["name"], item["quantity"]) for item in body["items"]]


async def called(one: House) -> list[tuple[str, str]]:
    waiting = await one.db.snapshot(lambda tx: calls.waiting(tx, 1, one.venue.id))
    return sorted((call.kind, call.table_label) for call in waiting)


@pytest.mark.later
async def test_an_order_with_its_table_is_placed_in_the_language_it_is_written_in(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun ve bir künefe lütfen, masa 4")
        assert await names(one) == [("Lahmacun", 2), ("Künefe", 1)]
        order = await one.order()
        assert (order["order_type"], order["table_label"], order["waiter"]) == ("dine_in", "4", "Elif")
        assert order["message_key"]
        assert order["language"] == "tr"
        (said,) = await one.said()
        assert "siparişiniz onaylandı" in said
        assert "Masa 4" in said


@pytest.mark.later
async def test_the_same_message_told_twice_by_the_network_is_one_order(database_url: str) -> None:
    async with house(database_url) as one:
        for _ in range(3):
            await one.write("two lahmacun please, table 4", network_id="wamid.once")
        assert len(await one.placed()) == len(await one.said()) == 1


async def test_who_does_not_say_where_is_asked_and_his_answer_completes_the_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("can we get two lahmacun and a künefe please")
        assert await one.placed() == []
        (asked,) = await one.said()
        assert asked.startswith("2 × Lahmacun\n1 × Künefe\n\n")
        assert "table 5" in asked
        assert "takeaway" in asked
        assert "delivery" in asked
        await one.write("table 7")
        order = await one.order()
        assert (order["table_label"], order["waiter"], order["customer_phone"]) == ("7", "Mert", PHONE)
        assert await names(one) == [("Lahmacun", 2), ("Künefe", 1)]


async def test_every_way_of_saying_where_is_understood(database_url: str) -> None:
    answers = [("masa 5", "dine_in", "5"), ("5", "dine_in", "5"), ("gel al", "takeaway", ""),
               ("paket", "takeaway", ""), ("adrese teslim", "delivery", "")]  # fmt: skip
    async with house(database_url) as one:
        for number, (answer, order_type, table) in enumerate(answers):
            await one.write("iki lahmacun lütfen", f"90555111224{number}")
            await one.write(answer, f"90555111224{number}")
            order = (await one.placed())[-1]
            assert (order["order_type"], order["table_label"]) == (order_type, table), answer
            assert order["customer_phone"] == f"90555111224{number}"


async def test_a_table_that_does_not_exist_is_asked_for_again(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please")
        await one.write("table 99")
        assert await one.placed() == []
        assert "99" in (await one.said())[1]
        await one.write("table 9")
        assert (await one.order())["table_label"] == "9"


async def test_an_answer_belongs_to_who_was_asked(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please")
        await one.write("table 5", OTHER)
        assert await one.placed() == []
        assert await one.said(OTHER) == []


async def test_a_new_order_takes_the_place_of_one_that_was_asked_about(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please")
        await one.write("no, three lahmacun at table 3 please")
        await one.write("table 4")
        assert len(await one.placed()) <= 1


async def test_who_writes_in_pieces_orders_all_of_them_and_sees_it(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun lütfen")
        await one.write("bir de künefe")
        await one.write("1 ayran")
        first, *_, last = await one.said()
        assert first.startswith("2 × Lahmacun\n\n")
        assert "2 × Lahmacun\n1 × Künefe\n1 × Ayran" in last
        await one.write("masa 4")
        await one.write("evet")
        assert await names(one) == [("Lahmacun", 2), ("Künefe", 1), ("Ayran", 1)]


async def test_what_is_added_much_later_is_an_order_of_its_own(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun lütfen")
        one.clock.advance(1_200)
        await one.write("bir de künefe masa 4")
        assert await names(one) == [("Künefe", 1)]


@pytest.mark.parametrize("text", ["vazgeçtim", "siparişimi iptal etmek istiyorum", "never mind"])
async def test_who_thinks_better_of_it_when_asked_where_orders_nothing(database_url: str, text: str) -> None:
    async with house(database_url) as one:
        await one.write("two lahmacun please")
        await one.write(text)
        assert len(await one.said()) == 2
        await one.write("table 4")
        assert await one.placed() == []


async def test_a_guest_who_ordered_at_a_table_orders_more_there(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(table="8")
        await one.write(cart["text"])
        one.clock.advance(1_800)
        await one.write("one more lahmacun please")
        first, second = await one.placed()
        assert second["table_label"] == "8"
        assert second["tab_id"] == first["tab_id"]
        one.clock.advance(4 * 3_600)
        await one.write("one more lahmacun please")
        assert len(await one.placed()) == 2


async def test_a_venue_that_believes_only_codes_does_not_believe_a_named_table(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(refuses_unsigned=True)
        await one.write("iki lahmacun, masa 4")
        assert await one.placed() == []
        assert "kodu okut" in (await one.said())[0]
        await one.write("masa 4")
        assert await one.placed() == []


async def test_where_there_is_one_way_only_nobody_is_asked(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(order_types=["takeaway"])
        await one.write("iki lahmacun lütfen")
        assert (await one.order())["order_type"] == "takeaway"


async def test_what_is_unclear_is_asked_and_nothing_is_ordered(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 kebap masa 4")
        assert await one.placed() == []
        (asked,) = await one.said()
        assert "kebap" in asked
        assert "?" in asked
        assert "/api/v1/menu?" in asked


async def test_an_order_of_which_nothing_is_clear_is_asked_about_too(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("hepimize birer lahmacun")
        assert await one.placed() == []
        assert "kaç adet" in (await one.said())[0]


async def test_a_complaint_about_a_dish_orders_none_and_is_not_looked_for_on_the_menu(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun gelmedi masa 4")
        assert await one.placed() == []
        (said,) = await one.said()
        assert "ilgilenecek" in said
        assert "bulunamadı" not in said


async def test_whom_a_colleague_will_answer_need_not_write_anything_again(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun gelmedi")
        (said,) = await one.said()
        assert said.startswith("Mesajınızla bir arkadaşımız")
        assert "bir kez daha" not in said
        await one.write("tamam teşekkürler")
        assert (await one.said())[1:] == ["Rica ederiz!"]


@pytest.mark.later
async def test_talk_is_left_to_people_and_automatic_replies_and_an_order_is_not_greeted(database_url: str) -> None:
    talk = ["Merhaba, nasılsınız?", "Siparişim nerede?", "teşekkürler", "hello", "Rezervasyon istiyorum", "👍", ""]
    async with house(database_url, with_api=True) as one:
        greeting = {"kind": "greeting", "message": "Hoş geldiniz"}
        reply = await one.pool.call("POST", f"/instances/{one.pool.lines[1]}/auto-replies", greeting)
        assert reply.status == 201
        for number, text in enumerate(talk):
            await one.write(text, f"90555111224{number}")
            assert await one.said(f"90555111224{number}") == ["Hoş geldiniz"], text
        assert await one.placed() == []
        await one.write("iki lahmacun masa 4")
        (said,) = await one.said()
        assert "ORD-" in said


async def test_a_venue_may_leave_texts_to_people(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(details={"reads_texts": False})
        await one.write("iki lahmacun masa 4")
        assert await one.placed() == []
        assert await one.said() == []


@pytest.mark.later
async def test_what_sold_out_is_told_and_the_rest_is_read_back(database_url: str) -> None:
    async with house(database_url) as one:
        await one.sell_out("Künefe")
        await one.write("iki lahmacun, bir künefe, masa 4")
        (said,) = await one.said()
        assert await one.placed() == []
        assert said.index("Künefe") < said.index("2 × Lahmacun")
        await one.write("evet", OTHER)
        assert await one.placed() == []
        await one.write("evet")
        assert await names(one) == [("Lahmacun", 2)]
        assert (await one.order())["table_label"] == "4"


async def test_after_hours_an_order_is_told_when_it_can_be_had(database_url: str) -> None:
    async with house(database_url) as one:
        one.clock.advance(16 * 3_600)
        await one.write("iki lahmacun masa 4")
        assert await one.placed() == []
        assert "08:00" in (await one.said())[0]


@pytest.mark.later
async def test_a_delivery_learns_its_address_or_its_place(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun adrese teslim")
        assert "adresinizi" in (await one.said())[0]
        for talk in ("ne zaman gelir?", "siparişim 40 dakikadır gelmedi", "lahmacun 2 saattir gelmedi"):
            await one.write(talk)
            assert (await one.order())["address"] == ""
        await one.write("Moda Caddesi No 12 Daire 3, Kadıköy")
        assert (await one.order())["address"] == "Moda Caddesi No 12 Daire 3, Kadıköy"
        await share(one, 40.9876543, 29.0259)
        order = await one.order()
        assert order["route_url"] == "https://www.google.com/maps/dir/?api=1&destination=40.987654,29.025900"
        created, first, second = await one.told()
        assert created["event"] == "restaurant.order_created"
        assert second["route_url"] == order["route_url"]
        assert first["event"] == second["event"] == "restaurant.order_updated"


async def test_an_address_beside_the_dishes_is_where_they_are_brought(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun bir künefe, Moda Caddesi No 12 Daire 3, Kadıköy")
        # Also where clear texts go straight through: the guest sees the address before somebody rides there.
        assert "Moda Caddesi No 12 Daire 3, Kadıköy" in (await one.said())[-1]
        assert await one.placed() == []
        await one.write("evet")
        order = await one.order()
        assert (order["order_type"], order["address"]) == ("delivery", "Moda Caddesi No 12 Daire 3, Kadıköy")
        assert await names(one) == [("Lahmacun", 2), ("Künefe", 1)]
        assert "Nereye" not in (await one.said())[0]


async def test_words_that_are_not_the_menus_are_shown_before_they_are_cooked(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun bol limonlu masa 4")
        assert await one.placed() == []
        await one.write("evet")
        assert await names(one) == [("Lahmacun", 2)]


async def test_a_place_said_beside_a_dish_that_has_to_be_asked_about_orders_nothing_yet(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun")
        await one.write("bir de kebap, masa 4")
        assert await one.placed() == []


async def test_a_place_without_a_delivery_is_nobodys(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("iki lahmacun masa 4")
        await share(one, 40.98, 29.02)
        await share(one, 400.0, 29.02)
        assert (await one.order())["route_url"] == ""
        assert len(await one.said()) == 1


async def share(one: House, latitude: float, longitude: float) -> None:
    place: dict[str, Any] = {
        "from": PHONE, "id": f"wamid.place{latitude}", "type": "location",
        "timestamp": str(one.clock.now_ms() // 1_000), "location": {"latitude": latitude, "longitude": longitude},
    }  # fmt: skip
    await one.pool.receive(place, people=[{"profile": {"name": "Ayşe"}, "wa_id": PHONE}])


@pytest.mark.later
async def test_two_machines_that_answer_each_other_stop(database_url: str) -> None:
    async with house(database_url) as one:
        for _ in range(30):
            await one.write("2 kebap masa 4")
        assert len(await one.said()) < 20


@pytest.mark.later
async def test_a_failure_inside_is_told_and_fails_nobody_elses_message(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url) as one:
        from tablegram.restaurant import reading

        def fail(*_: object) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr(reading, "read", fail)
        cart = await one.cart()
        await one.write_at_once([("iki lahmacun", OTHER, "wamid.x"), (cart["text"], PHONE, "wamid.y")])
        assert len(await one.placed()) == 1
        assert len(await one.pool.messages("in")) == 2
        (said,) = await one.said(OTHER)
        assert "/api/v1/menu?" in said


@pytest.mark.later
async def test_a_text_that_fails_for_ever_as_an_order_is_kept_for_people(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails after something was written, so that each try is undone as a whole."""
    async with house(database_url) as one:

        async def fail(*_: object) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr(Telling, "placed", fail)
        cart = await one.cart()
        await one.write_at_once([(cart["text"], PHONE, "wamid.x")])
        for _ in range(4):
            assert await one.pool.messages("in") == []
            one.clock.advance(3_600)
            await one.product.inbox.drain_store()
            if await one.pool.messages("in"):
                break
        (kept,) = await one.pool.messages("in")
        assert kept["text"] == cart["text"]
        assert await one.placed() == []


@pytest.mark.later
async def test_who_asks_for_the_bill_by_text_calls_as_from_the_page(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("hesabı alabilir miyiz", OTHER)
        assert "Hangi masadasınız" in (await one.said(OTHER))[0]
        await one.write("hesabı alabilir miyiz masa 5")
        await one.write("masa 5 hesap lütfen")
        await one.write("could you send the waiter to table 5 please")
        answers = await one.said()
        assert len(answers) == 3
        assert all("5" in answer for answer in answers)
        assert await called(one) == [("bill", "5"), ("waiter", "5")]
        assert [body["kind"] for body in await one.told("restaurant.waiter_called")] == ["bill", "waiter"]
        assert await one.placed() == []


async def test_a_guest_at_his_table_need_not_name_it_for_the_bill(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun masa 4")
        await one.write("hesap ne kadar oldu?")
        await one.write("hesap lütfen")
        assert await called(one) == [("bill", "4")]
