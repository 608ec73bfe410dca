"""A guest's answer to our question completes their order, once; everything else is heard as if nothing had been asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.restaurant import dialogues
from tablegram.restaurant.reading import Reading
from tablegram.storage.database import Database, Tx
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.asked import EARLIER, kept, names
from tests.restaurant.flows.house import house
from tests.storage.opened import opened

# How texts are understood is the same on every database; what happens at once, or fails inside, is marked.
pytestmark = pytest.mark.once


@pytest.mark.later
async def test_an_answer_completes_the_order_with_one_event_and_one_confirmation(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        (asked,) = await one.said()
        assert "1. Kıymalı Pide\n2. Kuşbaşılı Pide\n" in asked
        assert "Numarasını ya da adını" in asked
        assert await one.placed() == []
        await one.write("kıymalı olsun")
        assert await names(one) == [("Kıymalı Pide", 2), ("Ayran", 1)]
        order = await one.order()
        assert (order["table_label"], order["language"], order["customer_phone"]) == ("5", "tr", PHONE)
        assert len(await one.said()) == 2
        assert "siparişiniz onaylandı" in (await one.said())[1]
        # What they wrote is not kept a second time.
        (row,) = await kept(one)
        assert (row["state"], row["text"]) == ("answered", "")


async def test_the_language_is_the_one_of_the_earlier_text(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("can we have two pide please, table 5")
        assert "Which one do you mean by “pide”?" in (await one.said())[0]
        await one.write("2")
        assert (await one.order())["language"] == "en"
        assert "is confirmed" in (await one.said())[1]


async def test_several_questions_are_numbered_through_and_what_is_open_is_asked_again(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide, 1 türk kahvesi, masa 5")
        (asked,) = await one.said()
        assert "6. Ispanaklı Pide\n" in asked
        assert "7. " in asked
        await one.write("kıymalı")
        again = (await one.said())[1]
        assert "Pide" not in again
        assert "1. " in again
        await one.write("1")
        assert [quantity for _, quantity in await names(one)] == [2, 1]
        assert len(await one.placed()) == 1


async def test_the_answer_may_say_where_and_otherwise_that_is_asked_as_for_any_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide 1 ayran")
        await one.write("kıymalı, masa 7")
        assert (await one.order())["table_label"] == "7"
        await one.write("2 pide 1 ayran", OTHER)
        await one.write("ikincisi", OTHER)
        assert "masa 5" in (await one.said(OTHER))[1]
        await one.write("gel al", OTHER)
        _, second = await one.placed()
        assert (second["order_type"], second["customer_phone"]) == ("takeaway", OTHER)


@pytest.mark.later
async def test_a_number_is_of_the_list_first_and_then_of_the_table(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide 1 ayran")
        await one.write_at_once([("2", PHONE, "wamid.a"), ("2", PHONE, "wamid.b")])
        assert await one.placed() == []
        # Twice at once is once; they are asked where, again, and sit at no table that they did not name.
        again = (await one.said())[1:]
        assert again
        assert all("masa 5" in said for said in again)
        await one.write("5")
        assert (await one.order())["table_label"] == "5"
        assert await names(one) == [("Kuşbaşılı Pide", 2), ("Ayran", 1)]


@pytest.mark.later
async def test_an_answer_that_comes_twice_before_the_table_loses_nothing(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide 1 ayran")
        await one.write_at_once([("kıymalı pide", PHONE, "wamid.a"), ("kıymalı pide", PHONE, "wamid.b")])
        await one.write("masa 7")
        assert await names(one) == [("Kıymalı Pide", 2), ("Ayran", 1)]


async def test_a_table_said_first_is_not_forgotten(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide 1 ayran")
        await one.write("masa 7")
        assert await one.placed() == []
        assert "hangisini" in (await one.said())[1]
        await one.write("kıymalı")
        assert (await one.order())["table_label"] == "7"


@pytest.mark.parametrize("answer", ["kıymalı", "kıymalı pide", "2 kıymalı pide", "1"])
@pytest.mark.later
async def test_the_same_answer_twice_at_once_is_one_order(database_url: str, answer: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write_at_once([(answer, PHONE, "wamid.a"), (answer, PHONE, "wamid.b"), (answer, PHONE, "wamid.a")])
        assert await names(one) == [("Kıymalı Pide", 2), ("Ayran", 1)]
        assert len(await one.said()) == 2
        await one.write(answer, network_id="wamid.a")
        await one.write("kıymalı pide lütfen")
        assert len(await one.placed()) == 1


@pytest.mark.later
async def test_two_processes_that_hear_an_answer_at_once_complete_it_once(database_url: str) -> None:
    async with house(database_url) as one, opened(database_url) as beside:
        await one.write(EARLIER)

        async def complete(db: Database) -> bool:
            async def work(tx: Tx) -> bool:
                found = await dialogues.find(tx, 1, one.venue.id, PHONE, one.clock.now_ms())
                if found is None or found.state != "open":
                    return False
                await dialogues.close(tx, found, Reading(), found.progress, one.clock.now_ms())
                return True

            return await db.write(work)

        assert sorted(await asyncio.gather(*(complete(db) for db in (one.db, beside) * 3))) == [False] * 5 + [True]


@pytest.mark.later
async def test_two_different_answers_at_once_are_one_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write_at_once([("kıymalı pide", PHONE, "wamid.a"), ("kaşarlı pide", PHONE, "wamid.b")])
        assert len(await one.placed()) == 1


async def test_after_a_while_the_same_dish_is_a_new_order_and_one_more_is_one_at_once(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write("kıymalı")
        await one.write("bir kıymalı pide daha")
        assert len(await one.placed()) == 2
        one.clock.advance(120)
        await one.write("1 kıymalı pide")
        assert len(await one.placed()) == 3


async def test_a_yes_is_enough_where_there_is_one_thing_to_mean(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("one rice table 3")
        assert "yes or no" in (await one.said())[0]
        await one.write("yes 👍")
        assert await names(one) == [("Baked Rice Pudding", 1)]


async def test_the_only_dish_of_that_name_is_taken_and_shown(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("1 kuşbaşılı 2 kıymalı masa 3")
        (shown,) = await one.said()
        assert "1 × Kuşbaşılı Pide" in shown
        assert await one.placed() == []
        await one.write("kıymalı değil ıspanaklı")
        await one.write("evet")
        assert await names(one) == [("Kuşbaşılı Pide", 1), ("Ispanaklı Pide", 2)]


async def test_a_dish_alone_that_was_not_asked_about_is_no_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write("künefe")
        assert await one.placed() == []
        assert "hangisini" in (await one.said())[1]
        await one.write("kıymalı")
        assert await names(one) == [("Kıymalı Pide", 2), ("Ayran", 1)]


async def test_an_answer_belongs_to_who_was_asked(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        for text in ("2", "evet", "ikincisi"):
            await one.write(text, OTHER)
        assert await one.placed() == []
        assert await one.said(OTHER) == []


async def test_what_needs_the_whole_order_once_more_is_completed_by_no_answer(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write("2 pide 1 ayran ama pide olmasın yerine başka bir şey, masa 5")
        assert "bir kez daha" in (await one.said())[1]
        await one.write("1")
        await one.write("kıymalı")
        assert await one.placed() == []


async def test_what_we_do_not_have_is_shown_and_can_be_let_go(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun, 2 rakı, masa 5")
        (said,) = await one.said()
        assert "2 × Lahmacun" in said
        assert "anlayamadım: “rakı”" in said
        await one.write("rakısız olsun")
        assert "rakı" not in (await one.said())[1]
        await one.write("evet")
        (order,) = await one.placed()
        assert (order["table_label"], "rak" in order["lines"]) == ("5", False)


async def test_a_text_that_is_no_order_looks_once_for_a_question(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url) as one:
        looked: list[Any] = []
        find, overtaken = dialogues.find, dialogues.is_overtaken

        async def count(*parts: Any) -> Any:
            looked.append("find")
            return await find(*parts)

        async def count_more(*parts: Any) -> Any:
            looked.append("overtaken")
            return await overtaken(*parts)

        monkeypatch.setattr(dialogues, "find", count)
        monkeypatch.setattr(dialogues, "is_overtaken", count_more)
        await one.write("Merhaba, yarın akşam dört kişilik yer var mı?")
        assert looked == ["find"]
