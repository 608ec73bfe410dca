"""Every call is in the log, by its request id, and no call waits for it."""

from __future__ import annotations

import pytest

from tablegram.api.records.request_log import BATCH_ROWS, MAX_WAITING, RequestLog, view
from tablegram.errors import ScopeMissing
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tests.api.app import NOW_MS, World, ask, caller


def row(number: int, account_id: int = 7) -> dict[str, object]:
    return {
        "account_id": account_id,
        "request_id": f"r{number}",
        "key_id": "k",
        "method": "GET",
        "path": "/api/v1/me",
        "status": 200,
        "code": None,
        "detail": None,
        "duration_us": 1_500,
        "remote": "192.0.2.1",
        "created_at": NOW_MS + number,
    }


async def test_rows_are_found_by_request_id_and_listed_newest_first(database_url: str) -> None:
    db = open_database(Settings(database_url=database_url))
    await db.open()
    log = RequestLog(db)
    await log.start()
    for number in range(BATCH_ROWS * 2 + 5):
        log.add(row(number))
    log.add(row(1, account_id=8))
    await log.stop()
    newest = await log.page(7, "", 3)
    assert [entry["request_id"] for entry in newest] == ["r404", "r403", "r402"]
    older = await log.page(7, newest[-1]["id"], 1_000)
    assert len(older) == BATCH_ROWS * 2 + 2
    found = await log.find(7, "r1")
    assert found is not None
    assert view(found)["duration_ms"] == 1.5
    assert await log.find(7, "r999") is None
    assert len(await log.page(8, "", 10)) == 1
    await db.close()


async def test_only_who_manages_keys_or_the_account_reads_the_log() -> None:
    log = RequestLog(None)  # type: ignore[arg-type]
    staff = caller(frozenset({"messages:read", "messages:send", "instances:manage"}), "member:1", 1, 1)
    for look in (log.calls.read(staff, "", 3), log.calls.look_up(staff, "r1")):
        with pytest.raises(ScopeMissing):
            await look


async def test_a_store_that_fails_costs_rows_and_nothing_else() -> None:
    class Broken:
        async def put(self, *statements: object) -> None:
            raise OSError("disk full")

    log = RequestLog(Broken())  # type: ignore[arg-type]
    for number in range(3):
        log.add(row(number))
    await log.flush()
    assert log.dropped == 3


async def test_what_waits_is_bounded() -> None:
    log = RequestLog(None)  # type: ignore[arg-type]
    for _ in range(MAX_WAITING + 10):
        log.add({})
    assert log.dropped == 10


async def test_calls_and_their_problems_are_logged() -> None:
    world = World()
    await ask(world, "GET", "/me", headers={"X-Request-Id": "one"})
    await ask(world, "POST", "/messages/send", {}, headers={"X-Request-Id": "two"})
    await ask(world, "GET", "/messages/nope", headers={"X-Request-Id": "three"})
    await ask(world, "GET", "/me", key=None)
    await world.api.request_log.flush()
    assert [(r["request_id"], r["status"], r["code"], r["account_id"]) for r in world.rows.rows[:3]] == [
        ("one", 200, None, 7),
        ("two", 422, "validation_failed", 7),
        ("three", 404, "message_unknown", 7),
    ]
    assert (world.rows.rows[3]["account_id"], world.rows.rows[3]["code"]) == (0, "key_missing")


async def test_a_key_that_calls_too_often_is_logged_once_a_second() -> None:
    world = World(rate=0.1, burst=1)
    for _ in range(20):
        await ask(world, "GET", "/me")
    await world.api.request_log.flush()
    assert [r["status"] for r in world.rows.rows] == [200, 429]
