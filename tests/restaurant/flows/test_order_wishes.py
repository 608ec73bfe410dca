"""What guests want of an order that is placed is done while that is possible, and asked of staff afterwards."""

from __future__ import annotations

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import NotFound
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.flows.restaurant.orders.answers import OrderRequestView
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.once
TEXT = "2 lahmacun 1 ayran masa 4"


async def lines(one: House) -> list[tuple[str, int]]:
    return [(line["name"], line["quantity"]) for line in msgspec.json.decode((await one.order())["lines"])]


async def wished(one: House) -> list[OrderRequestView]:
    return (await one.orders.board(one.staff, one.venue.id)).requests


@pytest.mark.later
async def test_before_the_kitchen_starts_it_is_done_and_told(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        await one.write("ayran yerine kola")
        assert await lines(one) == [("Lahmacun", 2), ("Kola", 1)]
        await one.write("lahmacun 3 olsun")
        assert await lines(one) == [("Lahmacun", 3), ("Kola", 1)]
        assert "güncellendi" in (await one.said())[-1]
        await one.write("siparişimi iptal eder misiniz", OTHER)
        assert "Açık bir siparişiniz" in (await one.said(OTHER))[-1]
        await one.write("vazgeçtim")
        assert (await one.order())["state"] == "cancelled"
        assert "iptal edildi" in (await one.said())[-1]
        assert await wished(one) == []


@pytest.mark.later
async def test_who_gave_a_waiter_their_number_is_heard_from_it_and_who_only_typed_it_on_a_page_is_not(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        table = await one.table("9")
        fields: TakeFields = {"venue_id": one.venue.id, "table_id": table.id, "lines": [one.line("Lahmacun", 2)]}
        await one.orders.take(one.staff, {**fields, "customer_phone": OTHER}, Call("/orders"))
        await one.orders.take(one.staff, fields, Call("/orders"))
        typed = await one.cart(table=None, order_type="takeaway")
        await one.guests.order_from_page(one.venue, typed["code"], typed["holder"], {"phone": PHONE, "name": "Can"})
        await one.write("iptal")
        assert "Açık bir siparişiniz" in (await one.said())[-1]
        await one.write("lahmacun 3 olsun", OTHER)
        (taken,) = [row for row in await one.placed() if row["customer_phone"] == OTHER]
        assert msgspec.json.decode(taken["lines"])[0]["quantity"] == 3
        await one.write("siparişimi iptal eder misiniz", OTHER)
        assert "iptal edildi" in (await one.said(OTHER))[-1]
        assert sorted(row["state"] for row in await one.placed()) == [
            "awaiting_confirmation", "cancelled", "sent_to_kitchen",
        ]  # fmt: skip


@pytest.mark.later
async def test_afterwards_staff_say_yes_or_no_and_the_guest_hears_which(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        order_id = (await one.order())["order_id"]
        await one.act(order_id, "start")
        for text in ("ayran olmasın", "ayran olmasın"):
            await one.write(text)
            assert "sorduk" in (await one.said())[-1]
        # Asked again is asked once.
        (request,) = await wished(one)
        assert (request.kind, request.order_id, request.words) == ("change", order_id, "ayran olmasın")
        requests = one.product.order_requests
        await requests.answer(one.staff, str(request.id), accepts=True)
        assert await lines(one) == [("Lahmacun", 2)]
        assert "güncellendi" in (await one.said())[-1]
        with pytest.raises(NotFound):
            await requests.answer(one.staff, str(request.id), accepts=False)
        await one.write("cancel my order please")
        (request,) = await wished(one)
        await requests.answer(one.staff, str(request.id), accepts=False)
        assert "artık iptal edilemiyor" in (await one.said())[-1]
        await one.write("vazgeçtim")
        (request,) = await wished(one)
        await requests.answer(one.staff, str(request.id), accepts=True)
        assert (await one.order())["state"] == "cancelled"
        assert await wished(one) == []


async def test_the_same_again_is_read_back_and_a_dish_more_is_an_order_of_its_own(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        await one.write("aynısından bir tane daha")
        said = (await one.said())[-1]
        assert "2 × Lahmacun\n1 × Ayran" in said
        assert "Masa 4" in said
        assert len(await one.placed()) == 1
        await one.write("evet")
        await one.write("bir çay daha")
        assert [order["table_label"] for order in await one.placed()] == ["4", "4", "4"]
        await one.write("siparişim nerede")
        assert (await one.placed())[-1]["order_id"] in (await one.said())[-1]


async def test_who_sends_a_carts_text_again_hears_of_its_order_each_time(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart()
        for _ in range(3):
            await one.write(cart["text"])
        order = await one.order()
        assert len(await one.said()) == 3
        assert all(order["order_id"] in said for said in await one.said())


async def test_who_asks_for_more_than_the_menu_knows_hears_what_it_knows_and_people_are_called(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        await one.write("fıstıklı baklavanın kilosu ne kadar")
        told = (await one.said())[-1]
        assert "₺260" in told
        assert "arkadaşımız da okuyacak" in told
        (call,) = (await one.orders.board(one.staff, one.venue.id)).calls
        assert call.note == "fıstıklı baklavanın kilosu ne kadar"


@pytest.mark.later
async def test_nobody_gets_silence_and_machines_come_to_an_end(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        await one.write("40 dakikadır bekliyoruz")
        assert "özür" in (await one.said())[-1]
        (call,) = (await one.orders.board(one.staff, one.venue.id)).calls
        assert (call.table_number, call.note) == ("4", "40 dakikadır bekliyoruz")
        for text, says in (
            ("lahmacun kaç para", "₺110"),
            ("mercimek çorbasında gluten var mı", "Gluten"),
            ("do you have sushi", "not on our menu"),
            ("2 hamburger", "hamburger"),
            ("are you open", "02:00"),
            ("zzz", "/menu"),
        ):
            phone = f"9055511145{len(text):02d}"
            await one.write(text, phone)
            assert says in (await one.said(phone, all_of_it=True))[-1], text
        for _ in range(20):
            await one.write("this is an automatic answer", OTHER)
        assert 0 < len(await one.said(OTHER, all_of_it=True)) <= 4
        one.clock.advance(3_600)
        await one.write("this is an automatic answer", OTHER)
        assert len(await one.said(OTHER, all_of_it=True)) == 5


async def test_whom_people_are_answering_is_left_to_them(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await one.write("merhaba")
        told = len(await one.said(all_of_it=True))
        answer = {"phone": PHONE, "message": "Merhaba Ayşe", "instance_id": one.pool.lines[1]}
        assert (await one.pool.call("POST", "/messages/send", answer)).status == 200
        await one.write("nasılsınız")
        assert len(await one.said(all_of_it=True)) == told + 1
        await one.write(TEXT)
        assert "ORD-" in (await one.said())[-1]
