"""The event about a file waits for the file, for a while, and then tells all of it in one go."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tablegram.events import store
from tablegram.messaging.ports import Delayed, NetworkRefused
from tablegram.storage.database import Database
from tests.engine.waiting import settle, until
from tests.media.mailroom import PNG, Mailroom, mailroom, receiver

AWAY = Delayed("media_unreachable", "The file cannot be fetched: the connection was refused.", 2.0, "line")


def kinds(one: Mailroom) -> list[str]:
    return [body["data"]["type"] for body in one.told]


async def test_the_event_is_delivered_once_with_the_size_and_hash_of_the_file(
    database_url: str, tmp_path: Path
) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).gate.clear()
        one.begin()
        await one.write(line)
        await until(lambda: one.network(line).fetched, "the fetch")
        await settle()
        assert one.told == []
        one.network(line).gate.set()
        await until(lambda: one.told, "the event")
        await settle()
        (body,) = one.told
        assert body["data"]["media"]["size"] == len(PNG)
        assert body == (await one.events())[0]


async def test_later_events_of_the_sender_stay_behind_and_others_pass(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).gate.clear()
        one.begin()
        await one.write(line, phone="905551112233")
        await one.receive(line, {"type": "text", "text": {"body": "second"}}, "905551112233")
        await one.receive(line, {"type": "text", "text": {"body": "other"}}, "905551112244")
        await until(lambda: one.told, "the other sender's event")
        await settle()
        assert [body["data"]["text"] for body in one.told] == ["other"]
        one.network(line).gate.set()
        await until(lambda: len(one.told) == 3, "the rest")
        assert kinds(one) == ["text", "image", "text"]


async def test_a_file_that_takes_too_long_does_not_hold_its_event_back(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).gate.clear()
        one.begin()
        await one.write(line)
        await until(lambda: one.network(line).fetched, "the fetch")
        await one.later(21)
        await until(lambda: one.told, "the event")
        assert one.told[0]["data"]["media"]["size"] is None
        one.network(line).gate.set()

        async def kept() -> bool:
            return bool((await one.row())["state"] == "kept")

        await until(kept, "the file")
        await settle()
        assert len(one.told) == 1, "it is not sent again"
        assert (await one.events())[0]["data"]["media"]["size"] == len(PNG), "but the feed knows it"


async def test_a_file_that_is_not_to_be_had_is_told_at_once(database_url: str, tmp_path: Path) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).file_script.append(NetworkRefused("media_too_large", "Too large."))
        one.begin()
        await one.write(line)
        await until(lambda: one.told, "the event")
        told = one.told[0]["data"]["media"]
        assert (told["size"], told["error"]["code"]) == (None, "media_too_large")


async def test_a_file_that_is_settled_while_the_courier_reads_its_queue_is_told_at_once(
    database_url: str, tmp_path: Path
) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).file_script.append(NetworkRefused("media_too_large", "Too large."))
        slow = SlowReader(one.db)
        one.deliveries.db = slow  # type: ignore[assignment]
        await one.write(line)
        await until(lambda: slow.has_read, "the courier")
        await one.fetch()
        slow.gate.set()
        await until(lambda: one.told, "the event")
        assert one.told[0]["data"]["media"]["error"]["code"] == "media_too_large"


class SlowReader:
    """A store whose answer about what is pending is old by the time it arrives."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.has_read = False
        self.gate = asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    async def all(self, query: Any, params: Any = None) -> Any:
        rows = await self._db.all(query, params)
        if query is store.PENDING and rows:
            self.has_read = True
            await self.gate.wait()
        return rows


async def test_an_event_whose_file_came_while_nobody_delivered_is_complete_when_it_goes(
    database_url: str, tmp_path: Path
) -> None:
    async with mailroom(database_url, tmp_path) as one, receiver(one):
        line = await one.add_line()
        one.network(line).file_script.append(AWAY)
        await one.write(line)
        await one.fetch()
        one.clock.advance(5)
        await one.fetch()
        one.begin()
        await until(lambda: one.told, "the event")
        assert one.told[0]["data"]["media"]["size"] == len(PNG)


async def test_an_endpoint_of_another_process_gets_the_completed_body(database_url: str, tmp_path: Path) -> None:
    """The process that fetched the file is not the one that delivers: only the store tells the latter."""
    async with mailroom(database_url, tmp_path) as one, receiver(one) as endpoint_id:
        line = await one.add_line()
        one.tasks.keep("deliveries", one.deliveries.couriers.scan_forever)
        await one.write(line)
        await until(lambda: len(one.deliveries.couriers), "the courier")
        one.fetching._announcer.hasten = lambda account_id, endpoint, event_id: None
        await one.fetch()
        await settle()
        await one.later(21)
        await until(lambda: one.told, f"the event at {endpoint_id}")
        assert one.told[0]["data"]["media"]["size"] == len(PNG)
