"""Which programs a schema serves, so that servers of two versions may run side by side while one replaces the other.

A migration only adds. What a program of the version before still uses goes in a second step: a later migration that
says from which revision on programs do without it (`second_step = "0053"`). The highest of these is the *floor*: it is
kept in the database, so that an older program, which does not know the newer migrations, can tell whether it may work.
Where nothing is kept, no second step was taken yet.

All migrations of a release are one transaction, and writes to a table wait from its first index to the end of it. Who has
written to a table that is still to come, and waits for one that was, is waited for in turn: the server would end the
migration, after all of its work. So one that makes indexes on tables in use names them (`quiet = ("messages",)`), and all of
these are taken before anything else is done, again where somebody was in the way. One that adds columns to such a table, or takes
an index away from it, names it in `closed`: whoever reads it waits too.
"""

from __future__ import annotations

import time

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, select, text
from sqlalchemy.exc import DBAPIError

from tablegram.storage.tables import installation

# No program of an earlier revision looks.
OLDEST = "0049"
MARK = "second_step"
_FACT = "schema_floor"
QUIET, CLOSED = "quiet", "closed"
# What asks for more comes first: to ask for it later is to wait for who waits.
_MODES = {CLOSED: "access exclusive", QUIET: "share"}
# Longer than the server takes to notice a circle of waiting, or to send away who tidies a table up.
_WITHIN = "5s"
_TRIES, _PAUSE_S = 20, 0.2
# Who waits is waited for, and who has waited too long.
_IN_THE_WAY = ("40P01", "55P03")


def second_step(scripts: ScriptDirectory, revision: str) -> str:
    """From which revision on programs do without what this migration takes away; empty for one that only adds."""
    return str(getattr(scripts.get_revision(revision).module, MARK, ""))


def floor(scripts: ScriptDirectory) -> str:
    """The oldest revision whose programs the newest schema serves."""
    return max([OLDEST, *(second_step(scripts, script.revision) for script in scripts.walk_revisions())])


def note_floor(connection: Connection, revision: str) -> None:
    connection.execute(delete(installation).where(installation.c.name == _FACT))
    if revision > OLDEST:
        connection.execute(insert(installation).values(name=_FACT, value=revision))


def noted_floor(connection: Connection) -> str:
    """What the program that migrated has noted."""
    found = connection.execute(select(installation.c.value).where(installation.c.name == _FACT)).scalar_one_or_none()
    return OLDEST if found is None else str(found)


def to_be_quiet(connection: Connection, scripts: ScriptDirectory, wanted: str) -> list[str]:
    """How each table that is there, and that migrations from here on name, is to be taken."""
    present = MigrationContext.configure(connection).get_current_revision()
    if present is None:
        return []
    last = scripts.as_revision_number(wanted)
    coming = [script.module for script in scripts.walk_revisions() if present < script.revision <= str(last)]
    is_there = text("select to_regclass(:name) is not null")
    return [
        f"lock table {table} in {mode} mode"
        for named, mode in _MODES.items()
        for table in sorted({table for module in coming for table in getattr(module, named, ())})
        if connection.execute(is_there, {"name": table}).scalar_one()
    ]


def quieten(connection: Connection, locks: list[str]) -> None:
    """Take them all, or none for the moment. They are free again when the transaction ends."""
    if not locks:
        return
    for left in reversed(range(_TRIES)):
        try:
            with connection.begin_nested():
                connection.execute(text(f"set local lock_timeout = '{_WITHIN}'"))
                for lock in locks:
                    connection.execute(text(lock))
                connection.execute(text("set local lock_timeout to default"))
            return
        except DBAPIError as error:
            if not left or getattr(error.orig, "sqlstate", "") not in _IN_THE_WAY:
                raise
            time.sleep(_PAUSE_S)
