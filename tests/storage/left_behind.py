"""A database in a file, as a killed process leaves it."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path


def leave_behind(folder: Path, rows: int) -> Path:
    """What was committed last is in the log alone."""
    path, copy = folder / "live.db", folder / "data" / "tablegram.db"
    copy.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma journal_mode = wal")
    connection.execute("create table messages (id integer primary key, text)")
    for number in range(rows):
        connection.execute("insert into messages values (?, ?)", (number, "x" * 500))
    for beside in ("", "-wal"):
        shutil.copy(str(path) + beside, str(copy) + beside)
    connection.close()
    return copy


def rows(path: Path) -> int:
    with sqlite3.connect(path) as connection:
        found: int = connection.execute("select count(*) from messages").fetchone()[0]
    connection.close()
    return found
