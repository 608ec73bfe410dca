"""A migration that makes indexes on tables in use neither fails for who writes to several of them, nor lets them fail."""

from __future__ import annotations

import asyncio
from unittest.mock import MagicMock

import pytest

from tablegram.storage import migrate as migrations
from tablegram.storage import steps
from tests.storage.drivers import another_program

BEFORE = "0058"
WAITING = "select exists (select from pg_locks where not granted and relation = $1::regclass)"


@pytest.mark.shared
@pytest.mark.timeout(120)
async def test_who_writes_to_one_table_and_then_to_another_goes_on_and_so_does_the_migration(
    fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_WITHIN", "300ms")
    # However long a busy machine takes to let it through.
    monkeypatch.setattr(steps, "_TRIES", 1_000)
    await asyncio.to_thread(migrations.migrate_to, fresh_database_url, BEFORE)
    live, looking = [await another_program(fresh_database_url) for _ in range(2)]
    try:
        # Whatever waits in a circle with it has to give way.
        await live.execute("set deadlock_timeout = '1min'")
        async with live.transaction():
            await live.execute("lock table tickets in row exclusive mode")
            migrating = asyncio.create_task(asyncio.to_thread(migrations.migrate, fresh_database_url))
            while not await looking.fetchval(WAITING, "tickets"):
                assert not migrating.done(), "it did not wait for who writes"
                await asyncio.sleep(0.01)
            for table in ("audit_log", "messages", "orders"):
                await asyncio.wait_for(live.execute(f"lock table {table} in row exclusive mode"), 30)
        assert await migrating == migrations.newest()
    finally:
        await live.close()
        await looking.close()


@pytest.mark.shared
@pytest.mark.timeout(120)
async def test_who_reads_what_gets_a_column_and_then_writes_to_it_goes_on_and_so_does_the_migration(
    fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "_WITHIN", "300ms")
    monkeypatch.setattr(steps, "_TRIES", 1_000)
    await asyncio.to_thread(migrations.migrate_to, fresh_database_url, "0061")
    live, looking = [await another_program(fresh_database_url) for _ in range(2)]
    try:
        await live.execute("set deadlock_timeout = '1min'")
        async with live.transaction():
            await live.execute("lock table contacts in access share mode")
            migrating = asyncio.create_task(asyncio.to_thread(migrations.migrate, fresh_database_url))
            while not await looking.fetchval(WAITING, "contacts"):
                assert not migrating.done(), "it did not wait for who reads"
                await asyncio.sleep(0.01)
            await asyncio.wait_for(live.execute("lock table contacts in row exclusive mode"), 30)
        assert await migrating == migrations.newest()
    finally:
        await live.close()
        await looking.close()


@pytest.mark.once
def test_who_makes_or_takes_an_index_of_a_table_in_use_or_adds_a_column_has_named_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As many migrations as were made since then; those before are in every database that is upgraded in use."""
    unnamed: dict[str, set[str]] = {}
    for script in migrations.scripts().walk_revisions():
        if script.revision > BEFORE:
            monkeypatch.setattr(script.module, "op", doing := MagicMock())
            script.module.upgrade()
            indexed = {call.args[1] for call in doing.create_index.call_args_list}
            in_use = indexed - {call.args[0] for call in doing.create_table.call_args_list}
            if missing := in_use - set(getattr(script.module, steps.QUIET, ())):
                unnamed[script.revision] = missing
            shut = {call.args[0] for call in doing.add_column.call_args_list}
            shut |= {call.args[1] for call in doing.drop_index.call_args_list}
            if missing := shut - set(getattr(script.module, steps.CLOSED, ())):
                unnamed[script.revision] = missing
    assert not unnamed, unnamed
