"""Many rows as one statement, where a server can take them so."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import bindparam, insert, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import bulk_form, columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import request_log
from tablegram.storage.together import MOST_ROWS, join_rows
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


def test_many_rows_are_taken_from_arrays_or_one_after_the_other_and_in_one_way_only(database_url: str) -> None:
    for query in (ADD, CLOSE, KEEP, FIND):
        form = query.form(database_url.partition(":")[0])
        assert (form.bulk is None) != (form.together is None)
        assert form.changes_rows == (query is not FIND)


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


@pytest.mark.parametrize(
    ("sql", "bulk"),
    [
        (
            'INSERT INTO t (a, b) VALUES ($1::BIGINT, $2::VARCHAR COLLATE "C") ON CONFLICT DO NOTHING',
            "INSERT INTO t (a, b) SELECT * FROM unnest($1::BIGINT[], $2::VARCHAR[]) ON CONFLICT DO NOTHING",
        ),
        (
            "UPDATE t SET a=$2::BIGINT WHERE b = $1::BIGINT",
            "UPDATE t SET a=v.p2 FROM unnest($1::BIGINT[], $2::BIGINT[]) AS v(p1, p2) WHERE b = v.p1",
        ),
        (
            "SELECT a \nFROM t \nWHERE b = $1::BIGINT",
            "SELECT a \nFROM t, unnest($1::BIGINT[]) AS v(p1) WHERE b = v.p1",
        ),
        (
            "SELECT a FROM t WHERE b = $1::BIGINT AND EXISTS (SELECT 1 FROM u WHERE c = $2::BIGINT)",
            "SELECT found.* FROM unnest($1::BIGINT[], $2::BIGINT[]) AS v(p1, p2) CROSS JOIN LATERAL "
            "(SELECT a FROM t WHERE b = v.p1 AND EXISTS (SELECT 1 FROM u WHERE c = v.p2)) AS found",
        ),
    ],
)
def test_rows_are_taken_from_arrays(sql: str, bulk: str) -> None:
    assert bulk_form(sql) == bulk


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "DELETE FROM t WHERE a = $1::BIGINT",
        "INSERT INTO t (a, b) VALUES ($1::BIGINT, now())",
        "INSERT INTO t (a) VALUES ($1::BIGINT) ON CONFLICT DO UPDATE SET a = $2::BIGINT",
        "UPDATE t SET a=$1 WHERE b = $2::BIGINT",
        "UPDATE t SET a=$1::BIGINT WHERE b = $2::BIGINT AND EXISTS (SELECT 1 FROM u WHERE c = $2::BIGINT)",
    ],
)
def test_what_cannot_be_told_stays_as_it_is(sql: str) -> None:
    assert bulk_form(sql) is None


@pytest.mark.parametrize(
    ("sql", "two"),
    [
        (
            "INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT (a) DO NOTHING RETURNING a",
            "INSERT INTO t (a, b) VALUES (?, ?), (?, ?) ON CONFLICT (a) DO NOTHING RETURNING a",
        ),
        (
            "UPDATE t SET a=? WHERE t.b = ?",
            "UPDATE t SET a=v.column1 FROM (VALUES (?, ?), (?, ?)) AS v WHERE t.b = v.column2",
        ),
        (
            "SELECT t.a \nFROM t \nWHERE t.b = ? AND t.c = ?",
            "SELECT t.a \nFROM t, (VALUES (?, ?), (?, ?)) AS v WHERE t.b = v.column1 AND t.c = v.column2",
        ),
        (
            "INSERT INTO t (a, b) SELECT ?, u.b \nFROM u \nWHERE u.b = ?",
            "INSERT INTO t (a, b) SELECT v.column1, u.b \nFROM u, (VALUES (?, ?), (?, ?)) AS v WHERE u.b = v.column2",
        ),
    ],
)
def test_rows_stand_one_after_the_other(sql: str, two: str) -> None:
    joined = join_rows(sql, 2)
    assert joined is not None
    assert joined.sized(2) == two


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "DELETE FROM t WHERE a = ?",
        "INSERT INTO t (a) VALUES (?) ON CONFLICT DO UPDATE SET a = ?",
        "INSERT INTO t (a, b) VALUES (?, now())",
        "SELECT a FROM t WHERE b = '?'",
        "SELECT a FROM t WHERE b = ? AND EXISTS (SELECT 1 FROM u WHERE c = ?)",
    ],
)
def test_what_cannot_be_joined_stays_as_it_is(sql: str) -> None:
    assert join_rows(sql, 1) is None
    assert join_rows(sql, 2) is None


@given(st.integers(0, 300))
def test_every_row_is_in_exactly_one_run(count: int) -> None:
    joined = join_rows("INSERT INTO t (a) VALUES (?)", 1)
    assert joined is not None
    runs = list(joined.runs([(number,) for number in range(count)]))
    assert [value for _, values in runs for value in values] == list(range(count))
    assert all(sql.count("?") == len(values) <= MOST_ROWS for sql, values in runs)
