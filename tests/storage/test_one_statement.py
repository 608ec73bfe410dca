"""What is one statement is a transaction by itself, and asks a server once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tablegram.events import store as events
from tablegram.storage.database import Query, Tx
from tests.storage.busy_writer import together
from tests.storage.drivers import overhear
from tests.storage.opened import CHANGE, add_accounts, fact, facts, opened

ANNOUNCED = "pg_advisory_xact_lock_shared"


def event(key: str) -> tuple[Query, dict[str, Any]]:
    row = {"account_id": 1, "id": key, "type": "test", "sender": "", "body": "{}", "created_at": 1, "trace": None}
    return events.INSERT_EVENT, row


@pytest.mark.shared
async def test_a_server_is_asked_once_for_one_statement(database_url: str) -> None:
    async with opened(database_url) as db:
        heard = overhear(db)
        await db.put(fact("one"))
        assert [text.split()[0] for text in heard] == ["INSERT"]
        assert await facts(db) == {"one": ""}


@pytest.mark.shared
async def test_also_for_many_callers_at_once(database_url: str) -> None:
    async with opened(database_url) as db:
        heard = overhear(db)
        await together(db, *[lambda name=f"n{number}": db.put(fact(name)) for number in range(20)])
        after = heard[heard.index("commit") + 1 :]
        assert [text.split()[0] for text in after] == ["INSERT"]
        assert len(await facts(db)) == 20


@pytest.mark.shared
async def test_two_statements_share_a_transaction_that_announces_no_event(database_url: str) -> None:
    async with opened(database_url) as db:
        heard = overhear(db)
        await db.put(fact("one"), (CHANGE, {"which": "one", "value": "two"}))
        assert [text.split()[0] for text in heard] == ["begin", "INSERT", "UPDATE", "commit"]
        assert ANNOUNCED not in "".join(heard)
        assert await facts(db) == {"one": "two"}


@pytest.mark.shared
async def test_who_writes_events_announces_their_numbers_first(database_url: str) -> None:
    """Else somebody would read past an event that is numbered and not there yet."""

    async def unit(tx: Tx) -> None:
        await tx.run(*event("01A"))

    async with opened(database_url) as db:
        await add_accounts(db, 1)
        works: list[Callable[[], Awaitable[object]]] = [lambda: db.put(event("01B")), lambda: db.write(unit)]
        for work in works:
            heard = overhear(db)
            await work()
            assert ANNOUNCED in heard[0]
            assert heard[-1] == "commit"


async def test_of_two_statements_both_are_there_or_none(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("taken"))
        for statements in [(fact("new"), fact("taken")), ((CHANGE, {"which": "taken", "value": "x"}), fact("taken"))]:
            assert [type(one) for one in await together(db, partial(db.put, *statements))] != [type(None)]
        assert await facts(db) == {"taken": ""}


async def test_a_bad_row_among_many_of_one_statement_fails_alone(database_url: str) -> None:
    async with opened(database_url) as db:
        await db.put(fact("n3"))
        results = await together(db, *[lambda name=f"n{number}": db.put(fact(name)) for number in range(6)])
        assert [isinstance(one, Exception) for one in results] == [False, False, False, True, False, False]
        assert len(await facts(db)) == 6
