"""Many rows as one statement, where a server can take them so."""

from __future__ import annotations

import asyncio

from sqlalchemy import bindparam, insert, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns, read_by
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import request_log
from tests.storage.opened import opened

ADD = Query(insert(request_log).values(columns(request_log)), bulk=True)
CLOSE = Query(
    update(request_log)
    .where(
        request_log.c.account_id == bindparam("b_account"),
        request_log.c.id == bindparam("b_id"),
        request_log.c.status == 0,
    )
    .values(status=bindparam("status"), duration_us=request_log.c.duration_us + 1),
    bulk=True,
)
KEEP = Query(
    lambda dialect_insert: (
        dialect_insert(request_log)
        .values(columns(request_log))
        .on_conflict_do_nothing(index_elements=["account_id", "id"])
        .returning(request_log.c.id)
    ),
    bulk=True,
)
FIND = Query(
    select(request_log).where(
        request_log.c.account_id == bindparam("b_account"), request_log.c.id == bindparam("b_id")
    ),
    bulk=True,
)


def test_a_statement_knows_whether_it_changes_rows(database_url: str) -> None:
    for query in (ADD, CLOSE, KEEP, FIND):
        form = query.form(database_url.partition(":")[0])
        assert form.bulk is not None
        assert form.changes_rows == (query is not FIND)


async def test_a_file_is_told_the_index_and_a_server_chooses_by_itself(database_url: str) -> None:
    of_account = request_log.c.account_id == bindparam("b_account")
    read = Query(read_by("ix_request_log_created", request_log, select(request_log.c.id).where(of_account)))
    changed = Query(
        read_by("ix_request_log_created", request_log, update(request_log).where(of_account).values(status=1))
    )
    async with opened(database_url) as db:
        for query in (read, changed):
            said = query.form(database_url.partition(":")[0]).sql.lower()
            assert ("request_log indexed by ix_request_log_created" in said) != db.is_shared
            # The words stand where the database takes them.
            await db.put((query, {"b_account": 1})) if query is changed else await db.all(query, {"b_account": 1})


def row(account_id: int, number: int, status: int = 0) -> dict[str, object]:
    return {
        "account_id": account_id, "id": f"{number:04d}", "request_id": "r", "key_id": "k", "method": "GET", "path": "/ş'$1",
        "status": status, "code": None if number % 2 else "c", "detail": None, "duration_us": number, "remote": "",
        "created_at": 1,
    }  # fmt: skip


async def test_rows_of_a_batch_are_each_stored_and_changed_as_if_they_were_alone(database_url: str) -> None:
    async with opened(database_url) as db:
        await asyncio.gather(*[db.put((ADD, row(1, number, status=number % 3))) for number in range(60)])
        changes = [{"b_account": 1, "b_id": f"{number:04d}", "status": 200 + number} for number in range(60)]
        # One of another account, which must not be touched.
        await db.put((ADD, row(2, 0)))
        await asyncio.gather(*[db.put((CLOSE, change)) for change in changes])
        found = await db.all(across_accounts(select(request_log), "the test looks at everything"))
        assert len(found) == 61
        for one in found:
            number = int(one["id"])
            closed = one["account_id"] == 1 and number % 3 == 0
            assert one["status"] == (200 + number if closed else number % 3 if one["account_id"] == 1 else 0)
            assert one["duration_us"] == number + closed
            assert (one["path"], one["code"]) == ("/ş'$1", None if number % 2 else "c")


async def test_a_bad_row_of_such_a_batch_fails_alone(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put((ADD, row(1, 5)))
        results = await asyncio.gather(*[db.put((ADD, row(1, number))) for number in range(10)], return_exceptions=True)
        assert [number for number, result in enumerate(results) if result is not None] == [5]


async def test_what_many_statements_bring_back_is_gathered(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put((ADD, row(1, 3)))
        await db.put((ADD, row(2, 7)))
        rows = [row(1, number) for number in range(6)]
        added = await db.write(lambda tx: tx.gather(KEEP, rows))
        assert {one["id"] for one in added} == {"0000", "0001", "0002", "0004", "0005"}
        wanted = [{"b_account": 1, "b_id": f"{number:04d}"} for number in (2, 3, 7, 9)]
        found = await db.snapshot(lambda tx: tx.gather(FIND, wanted))
        assert {(one["account_id"], one["id"]) for one in found} == {(1, "0002"), (1, "0003")}
