"""Servers of two versions on one database: what a migration may do, and who may work on a newer schema."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text

from tablegram.storage import migrate as migrations
from tablegram.storage import steps
from tools.migration_steps import Table, snapshot, troubles

# What a migration before and after it would find; each is what a program of the version before stumbles over, or not.
CHANGES = {
    "create table other (id integer primary key)": [],
    "alter table things add column note text": [],
    "alter table things add column count integer not null default 0": [],
    "create index ix_things_name on things (name)": [],
    "drop table things": ["the table things is gone"],
    "alter table things drop column name": ["things.name is gone"],
    "alter table things rename column name to label": ["things.name is gone"],
    "create unique index ux_things_name on things (name)": ["things has a new rule, uniqueness of (name)"],
}


@pytest.mark.once
def test_what_a_server_of_the_version_before_would_stumble_over_is_seen(fresh_database_url: str) -> None:
    old, new = "the check state in ('open', 'paid')", "the check state in ('open', 'paid', 'gone')"
    column = {"state": ("TEXT", False, False)}
    before, after = {"tabs": Table(column, frozenset({old}))}, {"tabs": Table(column, frozenset({new}))}
    assert troubles(before, after) == []
    assert troubles(after, before) == [f"tabs has a new rule, {old}"]

    def tried(connection: Any, change: str) -> list[str]:
        connection.execute(text("create table things (id integer primary key, name text)"))
        before = snapshot(connection)
        connection.execute(text(change))
        found = troubles(before, snapshot(connection))
        connection.rollback()
        for table in ("things", "other"):
            connection.execute(text(f"drop table if exists {table}"))
        return found

    for change, expected in CHANGES.items():
        found = migrations.on_connection(
            fresh_database_url, partial(lambda one, connection: tried(connection, one), change)
        )
        assert found == expected, change


def test_migrating_notes_whom_the_schema_serves(fresh_database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    head = migrations.migrate(fresh_database_url)
    assert not migrations.serves_us(fresh_database_url, head), "the present schema is no newer one"
    assert migrations.on_connection(fresh_database_url, steps.noted_floor) == steps.floor(migrations.scripts())
    # The same database, as a program sees it that does not know the newest migration.
    known = [script for script in migrations.scripts().walk_revisions() if script.revision != head]
    older = SimpleNamespace(walk_revisions=lambda: known)
    monkeypatch.setattr(migrations, "scripts", lambda: older)
    for newest, floor, served in (("0060", "0060", True), ("0060", "0059", True), ("0060", "0061", False)):
        monkeypatch.setattr(migrations, "newest", partial(lambda newest: newest, newest))
        migrations.on_connection(
            fresh_database_url, partial(lambda floor, connection: steps.note_floor(connection, floor), floor)
        )
        assert migrations.serves_us(fresh_database_url, head) is served


def test_the_floor_is_the_highest_second_step() -> None:
    def scripts(marks: dict[str, str]) -> ScriptDirectory:
        found = {
            name: SimpleNamespace(revision=name, module=SimpleNamespace(**({"second_step": mark} if mark else {})))
            for name, mark in marks.items()
        }
        return cast(
            ScriptDirectory,
            SimpleNamespace(get_revision=found.__getitem__, walk_revisions=lambda: list(found.values())),
        )

    assert steps.floor(scripts({"0050": "", "0051": ""})) == steps.OLDEST
    assert steps.floor(scripts({"0050": "", "0055": "0053", "0056": "0051"})) == "0053"


def test_revisions_are_numbers_that_sort() -> None:
    assert all(len(one.revision) == 4 and one.revision.isdigit() for one in migrations.scripts().walk_revisions())
