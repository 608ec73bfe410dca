"""Until when an answer counts: half an hour, a no, another order, an erased guest."""

from __future__ import annotations

import pytest

from tablegram.restaurant.texts.asked import OPEN_MS
from tests.api.erasing import erased, whole_store
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.asked import EARLIER, kept, names
from tests.restaurant.flows.house import house

# How texts are understood is the same on every database; what happens at once, or fails inside, is marked.
pytestmark = pytest.mark.once


async def test_an_answer_after_half_an_hour_is_an_answer_to_nothing(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        one.clock.advance(OPEN_MS // 1_000)
        await one.write("2")
        await one.write("evet")
        assert await one.placed() == []
        assert len(await one.said()) == 1
        one.clock.advance(2 * 86_400)
        assert (await one.product.retention.purge())["dialogues"] == 1
        assert await kept(one) == []


@pytest.mark.parametrize(("earlier", "sign"), [(EARLIER, "2"), (EARLIER, "ikincisi"), ("one rice table 3", "yes")])
async def test_what_was_written_before_we_asked_points_at_nothing(database_url: str, earlier: str, sign: str) -> None:
    async with house(database_url) as one:
        await one.write(earlier)
        await one.write(sign, ago_s=60)
        assert await one.placed() == []
        assert len(await one.said()) == 1
        await one.write(sign)
        assert len(await one.placed()) == 1


async def test_words_that_say_it_by_themselves_count_whenever_they_were_written(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide 1 ayran")
        for text in ("masa 7", "kıymalı"):
            await one.write(text, ago_s=60)
        assert await names(one) == [("Kıymalı Pide", 2), ("Ayran", 1)]
        assert (await one.order())["table_label"] == "7"


async def test_each_question_gives_half_an_hour_again(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 pide, 1 türk kahvesi, masa 5")
        for answer in ("kıymalı", "1"):
            one.clock.advance(20 * 60)
            await one.write(answer)
        assert len(await one.placed()) == 1


@pytest.mark.parametrize(("text", "word"), [("vazgeçtim", "sildik"), ("iptal edin lütfen", "sildik")])
async def test_who_does_without_hears_a_friendly_word_and_nothing_is_left(
    database_url: str, text: str, word: str
) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write(text)
        assert word in (await one.said())[1]
        assert await kept(one) == []
        await one.write("2")
        assert await one.placed() == []
        assert len(await one.said()) == 2


async def test_a_no_forgets_what_we_thought(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("one rice table 3")
        assert "Did you mean Baked Rice Pudding" in (await one.said())[0]
        await one.write("no")
        assert "once more" in (await one.said())[1]
        await one.write("yes")
        assert await one.placed() == []
        assert await kept(one) == []


async def test_talk_goes_to_people_and_the_question_stays_open(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        for talk in ("kıymalı var mı?", "teşekkürler", "Siparişim nerede?", "👍"):
            await one.write(talk)
        assert not any("hangisini" in said for said in (await one.said())[1:])
        await one.write("kıymalı")
        assert len(await one.placed()) == 1


async def test_a_whole_new_order_takes_its_place(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write("3 lahmacun masa 6")
        assert await names(one) == [("Lahmacun", 3)]
        assert await kept(one) == []
        await one.write("2")
        assert len(await one.placed()) == 1


@pytest.mark.later
async def test_who_orders_on_the_page_meanwhile_is_done_with_it(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        one.clock.advance(60)
        cart = await one.cart(table="5")
        await one.write(cart["text"])
        await one.write("2")
        assert len(await one.placed()) == 1


async def test_another_unclear_order_takes_its_place_and_says_so(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.write("3 çorba masa 6")
        asked = (await one.said())[1]
        assert asked.startswith("Önceki mesajınız sipariş edilmedi")
        await one.write("mercimek")
        assert [quantity for _, quantity in await names(one)] == [3]
        assert (await one.order())["table_label"] == "6"


async def test_what_sold_out_or_closed_meanwhile_is_told_as_for_any_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        await one.sell_out("Kıymalı Pide")
        await one.write("kıymalı")
        assert await one.placed() == []
        said = (await one.said())[1]
        assert "Kıymalı Pide" in said
        assert "1 × Ayran" in said
        await one.write(EARLIER, OTHER)
        await one.change_venue(order_types=["takeaway", "delivery"])
        await one.write("kaşarlı", OTHER)
        assert await one.placed() == []


@pytest.mark.later
async def test_an_erased_guest_leaves_no_question_behind(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await one.write("2 pide 1 ayran gizlimasa 5")
        await one.write(EARLIER)
        assert len(await kept(one)) == 1
        await erased(one.pool)
        assert await kept(one) == []
        assert PHONE not in await whole_store(one.pool)


@pytest.mark.later
async def test_a_question_follows_a_contact_that_is_merged(database_url: str) -> None:
    async with house(database_url, with_api=True) as one:
        await one.write("merhaba", OTHER)
        await one.write(EARLIER)
        gone, into = (await one.pool.contact())["id"], (await one.pool.contact(OTHER))["id"]
        assert (await one.pool.call("POST", f"/contacts/{gone}/merge", {"into": into})).status == 200
        (row,) = await kept(one)
        assert row["contact_id"] == into
        await one.write("kıymalı")
        assert (await one.order())["contact_id"] == into


async def test_two_machines_that_answer_each_other_stop(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(EARLIER)
        for _ in range(30):
            await one.write("evet")
        assert len(await one.said()) < 20
