"""A text that the rules do not read goes to the language model after it is kept; the guest is answered once, and reads first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.flows.restaurant.texts.second_reading import MAX_OF_ACCOUNT, SecondReading
from tablegram.restaurant import customers
from tablegram.restaurant.readers import spending
from tablegram.restaurant.readers.spending import Caps, ReaderSpending
from tablegram.restaurant.readers.waiting import ASKS_WITHIN_MS, OWNED_MS
from tablegram.storage.database import Query
from tablegram.storage.tables import waiting_texts
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.cases import cases
from tests.crm.pool import OTHER, PHONE
from tests.restaurant.flows.house import House, house, texts_of
from tests.restaurant.flows.test_unread import unread
from tests.restaurant.readers.scripted import OTHER as NO_ORDER
from tests.restaurant.readers.scripted import Scripted, answer, by_menu, drop, hang, order, raw, scripted
from tests.storage.opened import opened

pytestmark = pytest.mark.later

# The rules ask the guest to write it once more.
TEXT = "lahmacun veya adana farketmez iki tane, bol soğanlı olsun, masa 5"
# They take it for talk.
TALK = "şey biz ondan iki tane alalım, bol soğanlı olsun, bahçede masa 5"
_WAITING = Query(select(waiting_texts).where(waiting_texts.c.account_id == 1))


def second_of(one: House) -> SecondReading:
    found = one.product.of(RestaurantWorks).second_reading
    assert found is not None
    return found


async def switch(one: House, *, is_on: bool = True) -> None:
    await one.db.write(lambda tx: spending.switch(tx, 1, is_on, one.clock.now_ms()))


async def standing(one: House) -> ReaderSpending:
    return await one.db.snapshot(lambda tx: spending.look(tx, 1, one.clock.now_ms()))


async def settle(one: House) -> None:
    """Until nobody is being asked any more."""
    while tasks := second_of(one).under_way:
        await asyncio.gather(*tasks, return_exceptions=True)


def two_lahmacun(made: Scripted) -> Any:
    return order({"id": made.dish("Lahmacun"), "quantity": 2, "note": "bol soğanlı"}, table="5")


@asynccontextmanager
async def with_model(database_url: str, **settings: Any) -> AsyncIterator[tuple[House, Scripted]]:
    """A house whose venue lets clear texts go straight through, with a model that is on."""
    async with scripted() as server:
        named: dict[str, Any] = {"reader_url": server.url, "reader_model": "small", "reader_key": "sk-secret"}
        async with house(database_url, **named, **settings) as one:
            await one.change_venue(refuses_unsigned=False)
            await switch(one)
            server.says = by_menu(server, two_lahmacun)
            yield one, server
            for task in list(second_of(one).under_way):
                task.cancel()
            await settle(one)


async def test_what_the_model_reads_is_read_back_and_ordered_by_a_yes(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        gate = asyncio.Event()

        async def say(asked: dict[str, Any], writer: Any) -> None:
            await gate.wait()
            await by_menu(server, two_lahmacun)(asked, writer)

        server.says = say
        await one.write(TEXT)
        # The message is kept and told of; the guest hears nothing yet, and nobody else waits.
        assert len(await one.pool.messages("in")) == 1
        assert len(await one.told("messages.")) == 1
        assert await one.said() == []
        await one.write("bir künefe, masa 4", OTHER)
        assert len(await one.placed()) == 1
        gate.set()
        await settle(one)
        (shown,) = await one.said()
        for part in ("2 × Lahmacun", "bol soğanlı", "Masa 5"):
            assert part in shown
        # Also where the venue lets clear texts go straight through.
        assert len(await one.placed()) == 1
        assert await one.db.all(_WAITING) == []
        found = await standing(one)
        assert (found.calls, found.tokens, found.trouble) == (1, 1_234, "")
        assert found.answered_at is not None
        await one.write("evet")
        await one.write("evet")
        assert [row["customer_phone"] for row in await one.placed()] == [OTHER, PHONE]
        figures: dict[str, float] = {}
        for work in one.product.of(RestaurantWorks).figures:
            figures |= await work()
        assert (figures["reader_asked_total"], figures["reader_read_total"], figures["reader_under_way"]) == (1, 1, 0)


async def test_without_an_answer_the_rules_answer_as_if_there_were_no_model(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        await switch(one, is_on=False)
        await one.write(TEXT, "905550000000")
        (plain,) = await one.said("905550000000")
        assert server.asked == []
        await switch(one)
        reader = one.product.of(RestaurantWorks).reader
        assert reader is not None
        reader._budget_s = 0.5
        scripts: dict[str, tuple[Any, str]] = {
            "no order": (answer(NO_ORDER), ""),
            "wrong": (answer(order({"id": "d9999", "quantity": 1})), "unfit"),
            "not JSON": (answer("sure!"), "not_json"),
            "refused": (raw(b"{}", 401), "key_refused"),
            "well again": (answer(NO_ORDER), ""),
            "slow": (hang, "slow"),
            "down": (drop, "unreachable"),
            "broken": (raw(b"{}", 500), "refused"),
            "resting": (drop, "refused"),
        }
        with cases() as found:
            for number, (name, (script, trouble)) in enumerate(scripts.items(), start=1):
                with found.case(name):
                    phone = f"90555000{number:04}"
                    server.says = script
                    await one.write(TEXT, phone)
                    await settle(one)
                    assert await one.said(phone) == [plain]
                    assert (await standing(one)).trouble == trouble
        # After three failures in a row it is not asked any more.
        assert len(server.asked) == len(scripts) - 1
        assert await one.placed() == []
        assert await one.db.all(_WAITING) == []


async def test_when_the_day_is_spent_the_rules_answer_and_people_see_why(database_url: str) -> None:
    async with with_model(database_url, reader_calls_day=1) as (one, server):
        await one.write(TEXT)
        await settle(one)
        await one.write(TEXT, OTHER)
        await settle(one)
        assert len(server.asked) == 1
        assert "2 × Lahmacun" in (await one.said())[0]
        assert "2 × Lahmacun" not in (await one.said(OTHER))[0]
        assert (await standing(one)).trouble == "over_cap"
        # Two texts that wait at once take the last call once.
        one.clock.advance(86_400)
        await one.write_at_once([(TEXT, f"90555111{n:04}", f"wamid.cap{n}") for n in range(3)])
        await settle(one)
        assert (len(server.asked), (await standing(one)).calls) == (2, 1)
        said = [(await one.said(f"90555111{n:04}"))[0] for n in range(3)]
        assert sum("2 × Lahmacun" in text for text in said) == 1


async def test_what_the_rules_know_never_goes_to_the_model(database_url: str) -> None:
    texts = (
        "merhaba", "selam, kolay gelsin", "teşekkürler", "ok", "👍", "evet", "açık mısınız?", "hesap lütfen", "garson",
        "2 lahmacun, masa 4", "iki pide masa 4", "lahmacun çok tuzluydu", "lahmacunda fıstık var mı?", "my soup is cold and nobody comes", "x" * 3_000,
        "can you tell me how much the adana is?", "masa 5", "12", "http://example.com/",
    )  # fmt: skip
    async with with_model(database_url) as (one, server):
        with cases() as found:
            for number, text in enumerate(texts):
                with found.case(text[:40]):
                    before = len(server.asked)
                    await one.write(text, f"90555222{number:04}")
                    await settle(one)
                    assert len(server.asked) == before


async def test_a_process_that_dies_while_it_asks_leaves_the_guest_to_another(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        server.says = hang
        for phone in (PHONE, OTHER):
            await one.write(TEXT, phone)
        for task in list(second_of(one).under_way):
            task.cancel()
        await settle(one)
        assert await one.said() == []
        await second_of(one).step()
        assert second_of(one).under_way == set(), "it may be alive still"
        server.says = by_menu(server, two_lahmacun)
        one.clock.advance(OWNED_MS / 1_000)
        await second_of(one).step()
        await settle(one)
        assert ["2 × Lahmacun" in (await one.said(phone))[0] for phone in (PHONE, OTHER)] == [True, True]
        # Who has waited for a minute is answered by the rules.
        asked = len(server.asked)
        server.says = hang
        await one.write(TEXT, "905553334455")
        for task in list(second_of(one).under_way):
            task.cancel()
        await settle(one)
        one.clock.advance(ASKS_WITHIN_MS / 1_000)
        await second_of(one).step()
        await settle(one)
        assert len(await one.said("905553334455")) == 1
        assert len(server.asked) <= asked + 1
        assert await one.db.all(_WAITING) == []


async def test_two_processes_answer_a_guest_once(database_url: str) -> None:
    async with with_model(database_url) as (one, server), opened(database_url) as db:
        server.says = hang
        await one.write(TEXT)
        for task in list(second_of(one).under_way):
            task.cancel()
        await settle(one)
        works = one.product.of(RestaurantWorks)
        assert works.reader is not None
        other = SecondReading(db, one.clock, works.ordering, works.reader, Caps(500, 2_000_000), second_of(one)._spawn)
        other._hear = second_of(one)._hear
        server.says = by_menu(server, two_lahmacun)
        (row,) = await one.db.all(_WAITING)
        await asyncio.gather(*(which._answer(1, row["message_key"]) for which in (second_of(one), other)))
        assert len(await one.said()) == 1


async def test_a_later_text_that_was_answered_counts_more_than_what_the_model_makes_of_the_earlier(
    database_url: str,
) -> None:
    async with with_model(database_url) as (one, server):
        gate = asyncio.Event()

        async def say(asked: dict[str, Any], writer: Any) -> None:
            await gate.wait()
            await by_menu(server, two_lahmacun)(asked, writer)

        server.says = say
        await one.change_venue(details={"skips_read_back": False})
        await one.write(TEXT)
        one.clock.advance(2)
        await one.write("bir künefe, masa 4")
        before = await one.said()
        assert len(before) == 1
        gate.set()
        await settle(one)
        assert await one.said() == before
        assert await one.db.all(_WAITING) == []


async def test_somebody_who_is_erased_meanwhile_is_not_written_to(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        server.says = hang
        await one.write(TEXT)
        (row,) = await one.db.all(_WAITING)
        now = one.clock.now_ms()
        await one.db.write(lambda tx: customers.forget(tx, 1, [row["contact_id"]], [PHONE], now))
        for task in list(second_of(one).under_way):
            task.cancel()
        await settle(one)
        server.says = by_menu(server, two_lahmacun)
        await second_of(one)._answer(1, row["message_key"])
        assert await one.said() == []


async def test_more_than_a_few_at_once_are_answered_by_the_rules(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        server.says = hang
        phones = [f"90555444{n:04}" for n in range(MAX_OF_ACCOUNT + 2)]
        for phone in phones:
            await one.write(TEXT, phone)
        assert [len(await one.said(phone)) for phone in phones] == [0] * MAX_OF_ACCOUNT + [1, 1]


async def test_what_the_rules_take_for_talk_is_read_too_and_nobody_gets_silence(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        await one.write(TALK)
        await settle(one)
        server.says = answer(NO_ORDER)
        await one.write(TALK, OTHER)
        await settle(one)
        said = [*await one.said(all_of_it=True), *await one.said(OTHER, all_of_it=True)]
        assert ["2 × Lahmacun" in text for text in said] == [True, False], said


async def test_what_the_model_read_is_nobodys_unread_message_and_what_it_did_not_is(database_url: str) -> None:
    async with with_model(database_url) as (one, server):
        complains, at_a_loss = "905553330001", "905553330002"
        await one.write("the soup was cold yesterday, I am not happy", complains)
        assert await unread(one) == 1
        one.clock.advance(60)
        gate = asyncio.Event()

        async def say(asked: dict[str, Any], writer: Any) -> None:
            await gate.wait()
            await by_menu(server, two_lahmacun)(asked, writer)

        server.says = say
        for phone in (PHONE, complains):
            await one.write(TEXT, phone)
        assert await unread(one) == 2, "nobody has answered yet"
        gate.set()
        await settle(one)
        assert ["2 × Lahmacun" in (await one.said(phone))[-1] for phone in (PHONE, complains)] == [True, True]
        assert await unread(one) == 1, "the complaint is"
        one.clock.advance(60)
        await one.write(TEXT)
        await settle(one)
        assert await unread(one) == 1, "who wrote before is told of as well"
        server.says = answer(NO_ORDER)
        await one.write(TALK, at_a_loss)
        await settle(one)
        assert await unread(one) == 2


@pytest.mark.once
async def test_what_cannot_be_answered_with_a_reading_is_answered_without(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with with_model(database_url) as (one, _):
        texts = texts_of(one)._free_texts

        async def fail(*_: object) -> None:
            raise LookupError("a bug")

        monkeypatch.setattr(texts, "_order", fail)
        await one.write(TEXT)
        await settle(one)
        assert len(await one.said()) == 1
        assert await one.db.all(_WAITING) == []
