"""Whoever reads on from where they were misses nothing, whichever of two processes commits first."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from tablegram.events import store
from tablegram.storage.database import Tx
from tests.events.office import Office, office
from tests.storage.opened import opened

EACH = 30
# An event is numbered at the beginning of its unit; so many statements later it is committed.
LONG = 20
ANNOUNCED = """
select pg_advisory_xact_lock_shared(
    (to_regclass('events_seq_seq')::oid::bigint - 2147483648)::int,
    (((pg_sequence_last_value(to_regclass('events_seq_seq')) + {ahead}) & 4294967295) - 2147483648)::int
)
"""


def plan(one: Office, text: str) -> Any:
    return one.planner.plan(1, "messages.upsert", {"event": "messages.upsert", "data": {"text": text}}, text)


async def test_an_event_that_was_numbered_first_and_committed_last_is_not_passed_over(database_url: str) -> None:
    async with office(database_url) as one, opened(database_url) as other:
        written: list[str] = []

        async def write_slowly() -> None:
            for number in range(EACH):
                text = f"slow {number}"

                async def unit(tx: Tx, text: str = text) -> None:
                    for query, params in plan(one, text):
                        await tx.run(query, params)
                    for _ in range(LONG):
                        await tx.first(store.NEWEST, {"account_id": 1})

                await one.db.write(unit)
                written.append(text)

        async def write_quickly() -> None:
            for number in range(EACH):
                await other.put(*plan(one, f"quick {number}"))
                written.append(f"quick {number}")
                await asyncio.sleep(0.002)

        found: list[str] = []
        after: str | None = None

        async def read_on() -> None:
            nonlocal after
            for event in (await one.feed.page(1, after, 50, None)).data:
                found.append(msgspec.json.decode(bytes(event.body))["data"]["text"])
                after = event.cursor

        writing = asyncio.gather(write_slowly(), write_quickly())
        while not writing.done():
            await read_on()
        await writing
        await read_on()
        assert sorted(found) == sorted(written)
        assert len(found) == 2 * EACH


async def test_what_is_committed_is_read_at_once_while_nobody_else_writes(database_url: str) -> None:
    async with office(database_url) as one:
        for number in range(5):
            await one.db.put(*plan(one, str(number)))
            page = await one.feed.page(1, None, 50, None)
            assert len(page.data) == number + 1


async def test_who_begins_while_somebody_looks_takes_nothing_back_that_was_there(database_url: str) -> None:
    async with office(database_url) as one:
        await one.db.put(*plan(one, "first"))
        await one.db.put(*plan(one, "second"))
        newest, horizon = await one.feed.newest(1), await one.db.horizon()
        connect = one.db.connect_listener
        if connect is None:
            # One writer, and nobody announces anything.
            return
        other = await connect()
        try:
            # As between the two halves of a look: others have numbered more and begun, and the look knows of less.
            for ahead, seen in ((3, horizon), (0, horizon), (-1, horizon - 1)):
                async with other.transaction():
                    await other.execute(ANNOUNCED.format(ahead=ahead))
                    assert await one.db.horizon() == seen
                    assert await one.feed.newest(1) == newest + min(ahead, 0)
        finally:
            await other.close()
