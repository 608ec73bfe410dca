"""An order from free words is read back, changed as the guest says, and ordered once by a yes."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from sqlalchemy import select

from tablegram.restaurant.texts.drafts import LIVES_MS
from tablegram.storage.database import Query, Row
from tablegram.storage.tables import order_drafts
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.taps import buttons, tap

pytestmark = pytest.mark.once
TEXT = "iki lahmacun ve bir künefe lütfen, masa 4"


async def rows(one: House) -> list[Row]:
    return await one.db.all(
        Query(select(order_drafts).where(order_drafts.c.account_id == 1).order_by(order_drafts.c.id))
    )


async def lines(one: House) -> list[tuple[str, int]]:
    order = (await one.placed())[-1]
    return [(line["name"], line["quantity"]) for line in msgspec.json.decode(order["lines"])]


@pytest.mark.both
async def test_what_was_read_is_read_back_whole_and_ordered_once_by_a_yes(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("iki lahmacun biri acısız, bir künefe, masa 4. Not: çocuk var")
        assert await one.placed() == []
        (said,) = await one.said()
        for part in (
            "1 × Lahmacun\n",
            "1 × Lahmacun (Acısız)",
            "1 × Künefe",
            "Masa 4",
            "Not: çocuk var",
            "Toplam: ₺",
            "*evet*",
        ):
            assert part in said, part
        assert [one["title"] for one in await buttons(one)] == ["Onayla", "Değiştir"]
        confirm = (await buttons(one))[0]["id"]
        # The same tap told twice, a second tap, and the word: one order, and each is answered.
        for network_id in ("wamid.tap", "wamid.tap", "wamid.again"):
            await tap(one, confirm, network_id)
        await one.write("evet")
        order = await one.order()
        assert (order["table_label"], order["notes"], order["language"]) == ("4", "çocuk var", "tr")
        assert len(await one.told("restaurant.order_created")) == 1
        _, placed, again, third = await one.said()
        assert "onaylandı" in placed
        assert all(order["order_id"] in one for one in (placed, again, third))
        assert [row["state"] for row in await rows(one)] == ["confirmed"]


@pytest.mark.both
async def test_yeses_at_once_are_one_order(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        await one.write_at_once([("evet", PHONE, f"wamid.{number}") for number in range(4)])
        assert len(await one.placed()) == 1


@pytest.mark.parametrize("yes", ["evet", "yes", "tamam", "ok", "1", "Evet lütfen", "👍", "onaylıyorum"])
async def test_every_plain_yes_orders(database_url: str, yes: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        await one.write(yes, OTHER)
        assert await one.placed() == []
        await one.write(yes)
        assert len(await one.placed()) == 1


async def test_a_change_edits_what_was_read_back_and_shows_it_again(database_url: str) -> None:
    steps = [
        ("bir çay daha", "1 × Çay"),
        ("1 künefe olmasın", "Künefe"),
        ("evet ama masa 6", "Masa 6"),
        ("lahmacun 3 olsun", "3 × Lahmacun"),
        ("çay yerine ayran", "1 × Ayran"),
        ("lahmacunların biri acısız", "1 × Lahmacun (Acısız)"),
        ("gel al olsun", "Gel al"),
    ]
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        for text, shown in steps:
            await one.write(text)
            said = (await one.said())[-1]
            assert (shown in said) is (text != "1 künefe olmasın"), (text, said)
            assert await one.placed() == []
        await one.write("tamam")
        assert await lines(one) == [("Lahmacun", 1), ("Lahmacun", 2), ("Ayran", 1)]
        assert (await one.order())["order_type"] == "takeaway"


async def test_a_no_drops_it_and_a_button_of_an_older_one_orders_nothing(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        old = (await buttons(one))[0]["id"]
        await one.write("bir çay daha")
        await tap(one, old, "wamid.old")
        assert await one.placed() == []
        assert "1 × Çay" in (await one.said())[-1]
        change = (await buttons(one))[1]["id"]
        await tap(one, change, "wamid.change")
        assert "masa 6" in (await one.said())[-1]
        await one.write("hayır")
        assert "sipariş verilmedi" in (await one.said())[-1]
        await tap(one, old, "wamid.older")
        await one.write("evet")
        assert await one.placed() == []
        assert [row["state"] for row in await rows(one)] == ["dropped"]
        await tap(one, old, "wamid.stranger", OTHER)
        assert await one.placed() == []


@pytest.mark.both
async def test_it_dies_after_a_while_with_one_kind_word_and_a_late_yes_reads_it_back_anew(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        one.clock.advance(LIVES_MS // 1_000 + 1)
        for _ in range(3):
            await one.product.order_clock.end_due()
        assert len(await one.said()) == 2
        assert "hazırlanmıyor" in (await one.said())[1]
        await one.write("evet")
        assert await one.placed() == []
        assert "2 × Lahmacun" in (await one.said())[2]
        await one.write("evet")
        assert await lines(one) == [("Lahmacun", 2), ("Künefe", 1)]


async def test_what_changed_meanwhile_is_read_back_again(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        await one.change_item("Lahmacun", price=99_00)
        await one.write("evet")
        assert await one.placed() == []
        assert "değişti" in (await one.said())[-1]
        await one.sell_out("Künefe")
        await one.write("evet")
        assert await one.placed() == []
        await one.write("evet")
        assert await lines(one) == [("Lahmacun", 2)]
        assert (await one.order())["total"] == 198_00


async def test_two_places_are_two_drafts_one_after_the_other(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("4. masaya 2 çay, 6. masaya 1 kola")
        (first,) = await one.said()
        assert "Masa 4" in first
        assert "Kola" not in first
        await one.write("evet")
        assert "Masa 6" in (await one.said())[-1]
        await one.write("evet")
        placed = await one.placed()
        assert [order["table_label"] for order in placed] == ["4", "6"]
        await one.write("takeaway 1 baklava and 2 teas for table 4", OTHER)
        assert "one message for each place" in (await one.said(OTHER))[0]
        await one.write("yes", OTHER)
        assert len(await one.placed()) == 2


async def test_an_address_is_whole_and_repeated_and_asked_for_before_the_yes(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("2 lahmacun adrese teslim: Moda Caddesi 5 D:3")
        assert "Teslimat adresi: Moda Caddesi 5 D:3" in (await one.said())[-1]
        await one.write("evet")
        assert (await one.order())["address"] == "Moda Caddesi 5 D:3"
        assert "Moda Caddesi 5 D:3" in (await one.said())[-1]
        await one.write("2 lahmacun paket servis", OTHER)
        await one.write("evet", OTHER)
        asked = await one.said(OTHER)
        assert asked
        assert all("Nereye getirelim" in said for said in asked)
        await one.write("Bahariye Caddesi no 12 kat 3", OTHER)
        await one.write("evet", OTHER)
        assert (await one.placed())[-1]["address"] == "Bahariye Caddesi no 12 kat 3"


async def test_what_was_not_understood_is_shown_and_the_rest_stands(database_url: str) -> None:
    async with house(database_url) as one:
        for number, text in enumerate(
            ("lol 2 lahmacun table 4", "şey 2 lahmacun masa 4", "2 lahmacun obrigado masa 4")
        ):
            phone = f"90555111225{number}"
            await one.write(text, phone)
            (said,) = await one.said(phone)
            assert "2 × Lahmacun" in said
            assert any(word in said for word in ("“lol”", "“şey”", "“obrigado”"))
        # Even where clear texts go straight through.
        assert await one.placed() == []


async def test_a_venue_may_let_clear_texts_through_and_only_those(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("1 adana no wait 1 urfa masa 3", OTHER)
        assert await one.placed() == []
        assert "1 × Urfa" in (await one.said(OTHER))[0]
        await one.write(TEXT)
        assert len(await one.placed()) == 1


async def test_a_guest_who_changes_at_once_with_a_yes_gets_one_of_both(database_url: str) -> None:
    """Whatever the order of the two: what is ordered was read back, or the change came first."""
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        await asyncio.gather(one.write("evet"), one.write("bir çay daha"))
        assert len(await one.placed()) <= 1
