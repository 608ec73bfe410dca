"""Which programs a schema serves, so that servers of two versions may run side by side while one replaces the other.

A migration only adds. What a program of the version before still uses goes in a second step: a later migration that
says from which revision on programs do without it (`second_step = "0053"`). The highest of these is the *floor*: it is
kept in the database, so that an older program, which does not know the newer migrations, can tell whether it may work.
Where nothing is kept, no second step was taken yet.
"""

from __future__ import annotations

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, delete, insert, select

from tablegram.storage.tables import installation

# No program of an earlier revision looks.
OLDEST = "0049"
MARK = "second_step"
_FACT = "schema_floor"


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
