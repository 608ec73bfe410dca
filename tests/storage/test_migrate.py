"""One schema: what is migrated is what is declared, however often and by however many at once."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Column, MetaData, Table, Text

from tablegram.storage import revision as at_the_start
from tablegram.storage.migrate import migrate, newest, revision
from tablegram.storage.tables import metadata
from tests.storage import schema
from tests.storage.drivers import held_by_another
from tests.storage.schema import differences


def test_migrated_and_declared_schema_do_not_differ(database_url: str) -> None:
    assert differences(database_url) == []


def test_a_difference_between_them_would_be_seen(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = MetaData()
    for table in metadata.tables.values():
        table.to_metadata(declared)
    Table("forgotten", declared, Column("id", Text, primary_key=True))
    monkeypatch.setattr(schema, "metadata", declared)
    assert [difference[0] for difference in differences(database_url)] == ["add_table"]


@pytest.mark.later
@pytest.mark.slow
def test_migrating_again_changes_nothing(fresh_database_url: str) -> None:
    assert revision(fresh_database_url) is None
    assert migrate(fresh_database_url) == newest()
    assert migrate(fresh_database_url) == newest() == revision(fresh_database_url)
    assert differences(fresh_database_url) == []


def test_a_start_knows_the_revision_without_what_migrates(fresh_database_url: str) -> None:
    assert at_the_start.revision(fresh_database_url) is None
    assert migrate(fresh_database_url) == at_the_start.newest() == at_the_start.revision(fresh_database_url)


def test_a_new_database_that_another_program_is_at_is_waited_for(
    fresh_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with held_by_another(fresh_database_url, 0.3, monkeypatch):
        assert revision(fresh_database_url) is None


@pytest.mark.later
@pytest.mark.slow
def test_two_threads_may_migrate_at_once(fresh_database_url: str) -> None:
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(migrate, [fresh_database_url] * 2))
    assert done == [newest()] * 2
    assert differences(fresh_database_url) == []


@pytest.mark.later
@pytest.mark.slow
def test_two_programs_may_migrate_at_once(fresh_database_url: str) -> None:
    program = f"from tablegram.storage.migrate import migrate; migrate({fresh_database_url!r})"
    running = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2)]
    try:
        assert [process.wait(200) for process in running] == [0, 0]
    finally:
        for process in running:
            process.kill()
    assert revision(fresh_database_url) == newest()
    assert differences(fresh_database_url) == []
