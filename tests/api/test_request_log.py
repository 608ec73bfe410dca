"""Every call is in the log, by its request id, and no call waits for it."""

from __future__ import annotations

import time

import pytest
from sqlalchemy import select

from tablegram.accounts.rows import NewCall
from tablegram.api.app import Api
from tablegram.api.records.request_log import BATCH_ROWS, MAX_WAITING, RequestLog
from tablegram.api.records.shown import view
from tablegram.errors import ScopeMissing
from tablegram.settings import Settings
from tablegram.storage.database import Query, Row, open_database
from tablegram.storage.tables import request_log
from tests.api.edge import Edge

AT_MS = 1_790_000_000_000


def row(number: int, account_id: int = 7) -> NewCall:
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
        "created_at": AT_MS + number,
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
    assert view(found).duration_ms == 1.5
    assert await log.find(7, "r999") is None
    assert len(await log.page(8, "", 10)) == 1
    await db.close()


async def test_only_who_manages_keys_or_the_account_reads_the_log(edge: Edge) -> None:
    calls = edge.api.of(Api).request_log.calls
    staff = await edge.key_ring.authenticate(await edge.key_with("messages:read", "messages:send", "instances:manage"))
    for look in (calls.read(staff, "", 3), calls.look_up(staff, "r1")):
        with pytest.raises(ScopeMissing):
            await look
    await logged(edge, 1)
    for scope in ("keys:manage", "account:manage"):
        assert await calls.read(await edge.key_ring.authenticate(await edge.key_with(scope)), "", 3)


async def test_a_store_that_fails_costs_rows_and_nothing_else() -> None:
    class Broken:
        async def put(self, *statements: object) -> None:
            raise OSError("disk full")

    log = RequestLog(Broken())  # type: ignore[arg-type]
    for number in range(3):
        log.add(row(number))
    await log.flush()
    assert log.dropped == 3


async def test_what_comes_while_it_writes_waits_for_its_own_time() -> None:
    """Under steady load it would else write with every commit, a few calls at a time."""
    sizes: list[int] = []

    class Busy:
        async def put(self, *statements: object) -> None:
            sizes.append(len(statements))
            if len(sizes) < 9:
                log.add(row(len(sizes)))

    log = RequestLog(Busy())  # type: ignore[arg-type]
    for number in range(BATCH_ROWS + 3):
        log.add(row(number))
    await log.flush()
    assert sizes == [BATCH_ROWS, 3]
    await log.flush()
    assert sizes == [BATCH_ROWS, 3, 2]


async def test_what_waits_is_bounded() -> None:
    log = RequestLog(None)  # type: ignore[arg-type]
    for _ in range(MAX_WAITING + 10):
        log.add(row(0))
    assert log.dropped == 10


async def logged(edge: Edge, account_id: int) -> list[Row]:
    await edge.api.of(Api).request_log.flush()
    found = select(request_log).where(request_log.c.account_id == account_id)
    return await edge.api.db.all(Query(found.order_by(request_log.c.id)))


async def test_calls_and_their_problems_are_logged(edge: Edge) -> None:
    await edge.ask("GET", "/me", headers={"X-Request-Id": "one"})
    await edge.ask("POST", "/messages/send", {}, headers={"X-Request-Id": "two"})
    await edge.ask("GET", "/messages/nope", headers={"X-Request-Id": "three"})
    await edge.ask("GET", "/me", key=None)
    assert [(row["request_id"], row["status"], row["code"]) for row in (await logged(edge, 1))[-3:]] == [
        ("one", 200, None),
        ("two", 422, "validation_failed"),
        ("three", 404, "message_unknown"),
    ]
    assert [row["code"] for row in await logged(edge, 0)] == ["key_missing"]


async def test_a_key_that_calls_too_often_is_logged_once_a_second(edge: Edge) -> None:
    slow = await edge.slow_key(rate=0.001, burst=1)
    account_id = (await edge.ask("GET", "/me", key=slow)).json()["account"]["id"]
    began = time.monotonic()
    for _ in range(20):
        await edge.ask("GET", "/me", key=slow)
    seconds = time.monotonic() - began
    statuses = [row["status"] for row in await logged(edge, account_id)]
    assert statuses[:2] == [200, 429]
    # However slow this machine is just now.
    assert set(statuses[1:]) == {429}
    assert len(statuses) - 1 <= 1 + seconds
