"""Guests pay online from the chat: with their order, after it, and anew when a link ran out."""

from __future__ import annotations

import pytest

from tablegram.restaurant.reading.dialogue.paying import says_online, wants_online, without_online
from tests.payments.gate.till import PaidHouse, paid_house

pytestmark = pytest.mark.later

ALONE = (
    "online", "Online", "ONLİNE", "online öde", "kartla online", "kartla online ödeyeceğim", "online kartla ödeme", "pay online",
    "evet, online", "internetten ödeyeyim", "pay now", "I want to pay online", "ödeme linki", "ödeme linki gönderir misiniz",
    "online ödeme istiyorum", "ok online please", "Can I pay online?", "online ödeyebilir miyim",
)  # fmt: skip
NOT_ALONE = (
    "", "1", "kartla", "nakit", "2 lahmacun online ödeme", "online misiniz?", "is your shop online today and open?",
    "linki açamadım", "card", "pay", "ödeme", "online ödedim ama gelmedi",
)  # fmt: skip


def test_what_says_online_and_nothing_else() -> None:
    wrong = [text for text in ALONE if not wants_online(text)] + [text for text in NOT_ALONE if wants_online(text)]
    assert wrong == []
    assert says_online("2 lahmacun, online ödeme")
    assert says_online("Masa 4, I pay online")
    kept = {
        "online ödeyeceğim": "", "acısız olsun, online ödeyeceğim": "acısız olsun", "Pay online. Ring twice, please.": "Ring twice, please",
        "zil bozuk; online ödeme; 3. kat": "zil bozuk; 3. kat", "no onion, please.": "no onion, please.", "": "",
    }  # fmt: skip
    assert {notes: without_online(notes) for notes in kept} == kept
    assert not says_online("kapıda kartla")


async def _tap(one: PaidHouse, button_id: str) -> None:
    interactive = {"type": "button_reply", "button_reply": {"id": button_id, "title": "x"}}
    await one.house.pool.receive({
        "from": "905551112233", "id": f"wamid.{button_id}", "type": "interactive", "interactive": interactive,
        "timestamp": str(one.clock.now_ms() // 1_000),
    })  # fmt: skip
    await one.settle()


async def _write(one: PaidHouse, text: str) -> None:
    await one.house.write(text)
    await one.settle()


async def test_a_yes_with_online_orders_and_waits_for_the_money(database_url: str) -> None:
    async with paid_house(database_url, skips_read_back=False) as one:
        await _write(one, "2 lahmacun gel al")
        assert "*online* yazın" in (await one.house.said())[-1]
        assert await one.house.placed() == []
        await _write(one, "online")
        assert await one.standing() == ("awaiting_payment", "link_sent")
        assert (await one.tickets(), await one.created()) == ([], 0)
        link = await one.link()
        assert link.url in (await one.house.said())[-1]
        # Asked for again, it is the same one.
        await _write(one, "ödeme linki gönderir misiniz")
        assert [found.id for found in await one.links()] == [link.id]
        assert link.url in (await one.house.said())[-1]
        await one.pay(link)
        assert (await one.standing(), await one.created()) == (("sent_to_kitchen", "paid"), 1)
        await _write(one, "online")
        assert "ödenmiş" in (await one.house.said())[-1]


async def test_words_in_the_order_and_behind_a_cart_choose_it_too(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await _write(one, "2 lahmacun gel al, online ödeyeceğim")
        assert await one.standing() == ("awaiting_payment", "link_sent")
        # It is done, and no note for the kitchen.
        assert [row["notes"] for row in await one.house.placed()] == [""]
        cart = await one.house.cart()
        await _write(one, f"{cart['text']}\nonline")
        assert await one.standing() == ("awaiting_payment", "link_sent")


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_link_that_ran_out_is_renewed_or_the_guest_pays_in_person(database_url: str, by_button: bool) -> None:
    async with paid_house(database_url) as one:
        await _write(one, "2 lahmacun gel al, online ödeyeceğim")

        async def choose(sign: str, word: str) -> None:
            key = (await one.house.placed())[-1]["id"]
            await (_tap(one, f"pay:{key}:{sign}") if by_button else _write(one, word))

        one.clock.advance(31 * 60)
        await one.drain()
        assert "*1* yazın" in (await one.house.said())[-1]
        await choose("link", "1")
        first, second = await one.links()
        assert (first.state, second.state) == ("expired", "open")
        assert second.url in (await one.house.said())[-1]
        one.clock.advance(31 * 60)
        await one.drain()
        await choose("person", "2")
        assert await one.standing() == ("sent_to_kitchen", "unpaid")
        assert (await one.tickets(), await one.created()) == (["order"], 1)
        assert "onaylandı" in (await one.house.said())[-1]
        # Said again, it is no answer to anything.
        await choose("person", "2")
        assert (await one.tickets(), await one.created()) == (["order"], 1)


async def test_an_order_that_is_cooked_already_is_paid_by_link_and_nothing_is_cooked_twice(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await _write(one, "2 lahmacun gel al")
        assert await one.standing() == ("sent_to_kitchen", "unpaid")
        await _write(one, "kartla online ödeyeceğim")
        assert await one.standing() == ("sent_to_kitchen", "link_sent")
        await one.pay(await one.link())
        assert await one.standing() == ("sent_to_kitchen", "paid")
        assert (await one.tickets(), await one.created()) == (["order"], 1)
        assert "ödemenizi aldık" in (await one.house.said())[-1]


async def test_nobody_answers_for_the_order_of_another(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await _write(one, "2 lahmacun gel al, online ödeyeceğim")
        one.clock.advance(31 * 60)
        await one.drain()
        await one.house.write("2", phone="905559998877")
        await one.house.write("online", phone="905559998877")
        assert (await one.standing(), len(await one.links())) == (("awaiting_payment", "failed"), 1)
