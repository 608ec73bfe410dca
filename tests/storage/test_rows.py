"""A statement for many rows is one text, and does what it does for each of them alone."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import (
    BigInteger,
    Column,
    Executable,
    MetaData,
    Table,
    Text,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    literal_column,
    select,
    tuple_,
    update,
)

from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.rows import MOST_ROWS
from tablegram.storage.tables import contact_terms
from tests.long import many
from tests.storage.opened import opened
from tests.storage.statements import DIALECTS

FILE, SERVER = DIALECTS
T = Table("t", MetaData(), Column("a", BigInteger), Column("b", Text), Column("c", Text(collation="C")))
U = Table("u", T.metadata, Column("a", BigInteger))
t = T.c
_A, _B = t.a == bindparam("x"), t.b == bindparam("y")
_WITHIN = exists().where(U.c.a == t.a)
_X, _C = bindparam("x", type_=BigInteger), Text(collation="C")

TOLD: dict[str, tuple[Any, str | None, str | None]] = {
    "insert": (
        lambda insert: insert(T).values(columns(T)).on_conflict_do_nothing().returning(t.a),
        "INSERT INTO t (a, b, c) SELECT * FROM unnest($1::BIGINT[], $2::VARCHAR[], $3::VARCHAR[]) "
        "ON CONFLICT DO NOTHING RETURNING t.a",
        "INSERT INTO t (a, b, c) VALUES (?, ?, ?), (?, ?, ?) ON CONFLICT DO NOTHING RETURNING a",
    ),
    "insert of one value twice, and of one of its own": (
        insert(T).values(b=bindparam("x"), a=1, c=bindparam("x")),
        "INSERT INTO t (a, b, c) SELECT * FROM unnest($1::BIGINT[], $2::VARCHAR[], $3::VARCHAR[])",
        "INSERT INTO t (a, b, c) VALUES (?, ?, ?), (?, ?, ?)",
    ),
    "update": (
        update(T).where(_A, t.c > bindparam("z", type_=_C)).values(a=t.a + bindparam("x"), b=None).returning(t.a),
        "UPDATE t SET a=(t.a + v.p1), b=v.p2 FROM unnest($1::BIGINT[], $2::VARCHAR[], $3::VARCHAR[]) AS v(p1, p2, p3) "
        'WHERE t.a = v.p1 AND t.c > v.p3 COLLATE "C" RETURNING t.a',
        "UPDATE t SET a=(t.a + column1), b=column2 FROM (VALUES (?, ?, ?), (?, ?, ?)) "
        'WHERE t.a = column1 AND t.c > column3 COLLATE "C" RETURNING a',
    ),
    "select": (
        select(t.a).where(_B, t.a.not_in([1, 2]), t.c == literal_column("'z'")).order_by(t.b.concat("z")).with_for_update(),
        "SELECT t.a FROM t, unnest($1::VARCHAR[], $2::VARCHAR[], $3::BIGINT[], $4::BIGINT[]) AS v(p1, p2, p3, p4) "
        "WHERE t.b = v.p1 AND (t.a NOT IN (v.p3, v.p4)) AND t.c = 'z' ORDER BY t.b || v.p2 FOR UPDATE",
        "SELECT t.a FROM t, (VALUES (?, ?, ?, ?), (?, ?, ?, ?)) "
        "WHERE t.b = column1 AND (t.a NOT IN (column2, column3)) AND t.c = 'z' ORDER BY t.b || column4",
    ),
    "select from several": (
        select(t.a).select_from(T.join(U, U.c.a == t.a)).where(_A),
        "SELECT t.a FROM t JOIN u ON u.a = t.a, unnest($1::BIGINT[]) AS v(p1) WHERE t.a = v.p1",
        "SELECT t.a FROM t JOIN u ON u.a = t.a, (VALUES (?), (?)) WHERE t.a = column1",
    ),
    "select with a question within": (
        select(t.a).where(_A, exists().where(U.c.a == bindparam("x"), U.c.a == t.a).correlate(T)),
        "SELECT found.a FROM unnest($1::BIGINT[]) AS v(p1) JOIN LATERAL (SELECT t.a AS a FROM t "
        "WHERE t.a = v.p1 AND (EXISTS (SELECT * FROM u WHERE u.a = v.p1 AND u.a = t.a))) AS found ON true",
        None,
    ),
    "select of so many": (
        select(t.a).where(_A).limit(literal_column("1")),
        "SELECT found.a FROM unnest($1::BIGINT[]) AS v(p1) JOIN LATERAL (SELECT t.a AS a FROM t "
        "WHERE t.a = v.p1 LIMIT 1) AS found ON true",
        None,
    ),
    "insert of what is selected": (
        insert(T).from_select(["a", "b"], select(_X.label("a"), t.b).select_from(T).where(_A)),
        "INSERT INTO t (a, b) SELECT v.p1 AS a, t.b FROM t, unnest($1::BIGINT[]) AS v(p1) WHERE t.a = v.p1",
        "INSERT INTO t (a, b) SELECT column1 AS a, t.b FROM t, (VALUES (?), (?)) WHERE t.a = column1",
    ),
    # Of what type it is, only a file need not know.
    "value of no type": (
        select(t.a).where(func.odd(bindparam("x"))),
        None,
        "SELECT t.a FROM t, (VALUES (?), (?)) WHERE odd(column1)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TOLD)
def test_each_value_becomes_a_column_of_the_rows(kind: str) -> None:
    statement, *texts = TOLD[kind]
    for dialect, text in zip((SERVER, FILE), texts, strict=True):
        bulk = Query(statement, bulk=True).form(dialect).bulk
        assert (bulk and " ".join(bulk.sized(2).split())) == text
        assert Query(statement).form(dialect).bulk is None


_ALL = columns(T)
NOT_TOLD: dict[str, Any] = {
    "no value": select(t.a).where(t.a == literal_column("1")),
    "no condition": update(T).values(a=bindparam("x")),
    "delete": delete(T).where(_A),
    "value that is none": insert(T).values(a=bindparam("x"), b=func.now()),
    "no row": insert(T),
    "several rows": insert(T).values([{"a": 1}, {"a": 2}]),
    "value beside the row": lambda insert: (
        insert(T).values(_ALL).on_conflict_do_update(index_elements=["a"], set_={"b": bindparam("z", type_=Text)})
    ),
    "value of the row beside it": lambda insert: (
        insert(T).values(_ALL).on_conflict_do_update(index_elements=["a"], set_={"b": bindparam("b", type_=Text)})
    ),
    "change with a question within": update(T).where(_A, _WITHIN).values(b=bindparam("z")),
    "insert with a question within": insert(T).from_select(["a"], select(t.a).where(_A, _WITHIN)),
    "both": select(t.a).where(_A).union_all(select(t.a).where(_B)),
    "none of these": select(t.a).where(_A, t.b.in_([])),
    "one of these pairs": select(t.a).where(_A, tuple_(t.a, t.b).in_([(1, "x")])),
}


@pytest.mark.parametrize("kind", NOT_TOLD)
def test_what_cannot_be_told_stays_as_it_is(kind: str) -> None:
    for dialect in DIALECTS:
        assert Query(NOT_TOLD[kind], bulk=True).form(dialect).bulk is None


def test_a_question_mark_in_a_text_is_no_place() -> None:
    statement = select(t.a).where(_A, t.b == literal_column("'?'"))
    assert Query(statement, bulk=True).form(FILE).bulk is None
    assert Query(statement, bulk=True).form(SERVER).bulk is not None


@given(st.integers(0, 300))
def test_every_row_is_in_exactly_one_run(count: int) -> None:
    rows = [{"a": number, "b": "", "c": None} for number in range(count)]
    for dialect in DIALECTS:
        bulk = Query(insert(T).values(columns(T)), bulk=True).form(dialect).bulk
        assert bulk is not None
        runs = list(bulk.runs(rows))
        if dialect == FILE:
            assert [value for _, values in runs for value in values[::3]] == list(range(count))
            assert all(sql.count("?") == len(values) <= 3 * MOST_ROWS for sql, values in runs)
        else:
            assert [list(values) for _, values in runs] == [[tuple(r[n] for r in rows) for n in "abc"]] * (count > 0)


def test_values_of_a_row_come_in_their_order_with_those_that_the_statement_has_by_itself() -> None:
    one, more = Query(select(t.a).where(_A), bulk=True), Query(select(t.a).where(_A, t.b != "own"), bulk=True)
    for dialect, alone, together in (
        (FILE, [1, 2], [1, "own", 2, "own"]),
        (SERVER, [(1, 2)], [(1, 2), ("own",) * 2]),
    ):
        for query, values in ((one, alone), (more, together)):
            bulk = query.form(dialect).bulk
            assert bulk is not None
            assert [list(taken) for _, taken in bulk.runs([{"x": 1}, {"x": 2}])] == [values]


# Statements of each kind on the rows of an account.
r, _other = contact_terms.c, contact_terms.alias("other").c
_MINE = r.account_id == bindparam("b_account")
_ONE = (_MINE, r.term == bindparam("b_term"), r.contact_id == bindparam("b_contact"))
_ROW = columns(contact_terms)
_LAST = (
    select(func.max(_other.said_at))
    .where(_MINE, _other.account_id == bindparam("b_account"), _other.source == r.source)
    .correlate(contact_terms)
    .scalar_subquery()
)
ADD = Query(insert(contact_terms).values(_ROW), bulk=True)
READ = Query(select(r.term, r.contact_id, r.source, r.said_at).where(_MINE))


def _or_change(dialect_insert: Any) -> Executable:
    new = dialect_insert(contact_terms).values(_ROW)
    changed: Executable = new.on_conflict_do_update(
        index_elements=["account_id", "term", "contact_id", "source"],
        set_={"said_at": new.excluded.said_at},
        where=r.said_at < new.excluded.said_at,
    ).returning(r.term, r.contact_id, r.said_at)
    return changed


CHANGING = {
    "add if new": Query(lambda insert: insert(contact_terms).values(_ROW).on_conflict_do_nothing(), bulk=True),
    "add what is selected": Query(
        insert(contact_terms).from_select(
            list(r.keys()),
            select(r.account_id, r.term, r.contact_id, literal("copy"), bindparam("said_at", type_=BigInteger))
            .where(*_ONE, r.source == "old"),
        ),
        bulk=True,
    ),
    "change": Query(
        update(contact_terms)
        .where(*_ONE, r.source.in_(["old", "older"]))
        .values(said_at=func.coalesce(r.said_at, bindparam("said_at", type_=BigInteger)) + 1),
        bulk=True,
    ),
}  # fmt: skip
TELLING = {
    "add if new, and tell": Query(
        lambda insert: insert(contact_terms).values(_ROW).on_conflict_do_nothing().returning(r.term, r.source),
        bulk=True,
    ),
    "add or change": Query(_or_change, bulk=True),
    "change, and tell": Query(
        update(contact_terms).where(*_ONE).values(said_at=bindparam("said_at")).returning(r.term, r.source), bulk=True
    ),
    "find": Query(select(r.term, r.contact_id, r.source, r.said_at).where(*_ONE, r.source != "new"), bulk=True),
    "find what is not before it": Query(
        select(r.term, r.source).where(_MINE, r.term >= bindparam("b_term")), bulk=True
    ),
    "find, and ask": Query(select(r.term, _LAST.label("last")).where(*_ONE), bulk=True),
}

_accounts = itertools.count(1)
_row = st.tuples(
    st.sampled_from(["", "a", "B", "b", "ç", "?", "$1", "')", "%s", ":x"]),
    st.sampled_from("kl"),
    st.sampled_from(["old", "older", "new"]),
    st.none() | st.integers(0, 9),
)


def _filled(account_id: int, rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [
        {
            "account_id": account_id, "term": term, "contact_id": contact, "source": source, "said_at": said,
            "b_account": account_id, "b_term": term, "b_contact": contact,
        }
        for term, contact, source, said in rows
    ]  # fmt: skip


async def _outcome(db: Database, query: Query, there: list[Any], rows: list[Any], *, at_once: bool) -> Any:
    """What is told, and what is stored afterwards, for an account of its own."""
    account_id = next(_accounts)
    filled = _filled(account_id, rows)

    async def work(tx: Tx) -> list[Any]:
        if at_once:
            await tx.many(ADD, _filled(account_id, there))
        else:
            for row in _filled(account_id, there):
                await tx.run(ADD, row)
        if query in CHANGING.values():
            if at_once:
                await tx.many(query, filled)
            else:
                for row in filled:
                    await tx.run(query, row)
            return []
        return (
            await tx.gather(query, filled) if at_once else [one for row in filled for one in await tx.all(query, row)]
        )

    told = await db.write(work)
    stored = await db.all(READ, {"b_account": account_id})
    return [sorted((tuple(dict(row).values()) for row in found), key=repr) for found in (told, stored)]


@pytest.mark.slow
async def test_many_rows_do_what_each_of_them_does_alone(database_url: str) -> None:
    async with opened(database_url) as db:
        loop = asyncio.get_running_loop()

        async def compare(there: list[Any], rows: list[Any]) -> None:
            for name, query in {**CHANGING, **TELLING}.items():
                together = await _outcome(db, query, there, rows, at_once=True)
                assert together == await _outcome(db, query, there, rows, at_once=False), name

        @settings(max_examples=many(20, 400), deadline=None, suppress_health_check=list(HealthCheck))
        @given(
            st.lists(_row, max_size=20, unique_by=lambda row: row[:3]),
            # No two touch the same row.
            st.lists(_row, max_size=20, unique_by=lambda row: row[:2]),
        )
        def run(there: list[Any], rows: list[Any]) -> None:
            asyncio.run_coroutine_threadsafe(compare(there, rows), loop).result(60)

        await asyncio.to_thread(run)


def test_all_of_these_go_as_one() -> None:
    for dialect in DIALECTS:
        alone = {name for name, query in {**CHANGING, **TELLING}.items() if query.form(dialect).bulk is None}
        assert alone == ({"find, and ask"} if dialect == FILE else set())
