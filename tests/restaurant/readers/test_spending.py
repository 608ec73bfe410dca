"""What an account may spend on the language model, counted in the store: exact in two processes, anew each day."""

from __future__ import annotations

import asyncio

import msgspec
from sqlalchemy import select

from tablegram.engine.purging import Purge
from tablegram.restaurant.readers import spending, waiting
from tablegram.restaurant.readers.spending import Caps, ReaderSpending
from tablegram.restaurant.readers.waiting import OWNED_MS, WaitingText
from tablegram.restaurant.store.retention import PURGES, READER_DAYS
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query
from tablegram.storage.tables import reader_days, waiting_texts
from tablegram.values.clock import DAY_MS, HOUR_MS
from tests.restaurant.kept import NOON, store


async def look(db: Database, account_id: int = 1, now: int = NOON) -> ReaderSpending:
    return await db.snapshot(lambda tx: spending.look(tx, account_id, now))


async def take(db: Database, caps: Caps, reserved: int = 10, account_id: int = 1, now: int = NOON) -> bool:
    return await db.write(lambda tx: spending.take(tx, account_id, reserved, caps, now))


async def test_two_processes_take_exactly_as_many_calls_as_there_are(database_url: str) -> None:
    caps = Caps(calls=25, tokens=10_000)
    async with store(database_url) as one, store(database_url) as other:
        taken = await asyncio.gather(*(take(db, caps) for _ in range(30) for db in (one, other)))
        assert sum(taken) == 25
        # Another account and another day have their own.
        assert await take(one, caps, account_id=2)
        assert await take(one, caps, now=NOON + DAY_MS)
        await one.write(lambda tx: spending.switch(tx, 1, True, NOON))
        assert await look(other) == ReaderSpending(is_on=True, calls=25, tokens=250)


async def test_tokens_are_taken_at_their_most_and_put_right_afterwards(database_url: str) -> None:
    caps = Caps(calls=100, tokens=100)
    async with store(database_url) as one, store(database_url) as other:
        taken = await asyncio.gather(*(take(db, caps, 40) for _ in range(5) for db in (one, other)))
        assert sum(taken) == 2
        await other.write(lambda tx: spending.put_right(tx, 1, 40, 5, NOON))
        assert await take(one, caps, 40)
        assert not await take(one, caps, 40)
        await one.write(lambda tx: spending.put_right(tx, 1, 40, 45, NOON))
        await one.write(lambda tx: spending.switch(tx, 1, False, NOON))
        standing = await look(one)
        assert (standing.is_on, standing.calls, standing.tokens) == (False, 3, 90)
        assert standing.has_room(10, caps)
        assert not standing.has_room(11, caps)


async def test_the_switch_is_off_until_somebody_turns_it_on(database_url: str) -> None:
    async with store(database_url) as db:
        assert await look(db) == ReaderSpending()
        for is_on in (True, True, False, True):
            await db.write(lambda tx, is_on=is_on: spending.switch(tx, 1, is_on, NOON))  # type: ignore[misc]
            assert (await look(db)).is_on is is_on
        assert not (await look(db, account_id=2)).is_on
        await db.write(lambda tx: spending.note(tx, 1, "slow", NOON))
        assert ((await look(db)).trouble, (await look(db)).trouble_at) == ("slow", NOON)
        await db.write(lambda tx: spending.note(tx, 1, "", NOON + 1))
        assert await look(db) == ReaderSpending(is_on=True, answered_at=NOON + 1)


def text(key: str, **more: object) -> WaitingText:
    own = WaitingText(1, key, "v", 1, "905", "Elif", "c", "tr", "iki tane", NOON, NOON, NOON + OWNED_MS, None)
    return msgspec.structs.replace(own, **more)


async def test_a_text_waits_once_and_is_ended_once(database_url: str) -> None:
    async with store(database_url) as one, store(database_url) as other:
        assert await one.write(lambda tx: waiting.keep(tx, text("a")))
        assert not await other.write(lambda tx: waiting.keep(tx, text("a", text="drei")))
        assert await one.snapshot(lambda tx: waiting.count(tx, 1)) == 1
        assert await other.snapshot(lambda tx: waiting.find(tx, 1, "a")) == text("a")
        assert await other.snapshot(lambda tx: waiting.find(tx, 2, "a")) is None
        # Nobody takes it up while its process may be alive; then exactly one of two does.
        assert await waiting.take_left(other, NOON + OWNED_MS - 1) == []
        lately = NOON + OWNED_MS
        found = await asyncio.gather(waiting.take_left(one, lately), waiting.take_left(other, lately))
        assert sorted(found) == [[], [(1, "a")]]
        # A clock that is set back meanwhile lets no guest wait until it is that late again.
        assert await waiting.take_left(one, NOON - 2 * HOUR_MS) == [(1, "a")]
        assert await waiting.take_left(one, NOON - 2 * HOUR_MS) == []
        ended = await asyncio.gather(*(db.write(lambda tx: waiting.end(tx, 1, "a")) for db in (one, other)))
        assert sorted(ended) == [False, True]


async def test_what_waits_goes_with_the_person_and_old_figures_go_by_themselves(database_url: str) -> None:
    async with store(database_url) as db:
        for one in (text("a"), text("b", phone="906", contact_id="d"), text("c", phone="907", contact_id="e")):
            await db.write(lambda tx, one=one: waiting.keep(tx, one))  # type: ignore[misc]
        await db.write(lambda tx: waiting.move(tx, 1, "e", "c"))
        await db.write(lambda tx: waiting.forget_person(tx, 1, ["c"], ["906"]))
        rows = Query(select(waiting_texts).where(waiting_texts.c.account_id == 1))
        assert await db.all(rows) == []
        days = Query(select(reader_days.c.day).where(reader_days.c.account_id == 1))
        caps = Caps(5, 500)
        await take(db, caps, now=NOON - (READER_DAYS + 2) * DAY_MS)
        await take(db, caps)
        await db.write(lambda tx: waiting.keep(tx, text("old", asked_at=NOON - 2 * DAY_MS)))
        await db.write(lambda tx: waiting.keep(tx, text("new")))
        for purge in PURGES:
            await _purge(db, purge)
        assert [row["day"] for row in await db.all(days)] == [NOON // DAY_MS]
        assert [row["message_key"] for row in await db.all(rows)] == ["new"]


async def _purge(db: Database, purge: Purge) -> None:
    keep_ms = purge.keep_ms(Settings())
    assert keep_ms is not None
    await purge.forget(db, NOON - keep_ms)
