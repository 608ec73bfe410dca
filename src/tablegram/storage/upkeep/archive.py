"""Backups that do not care which database they came from: one compressed file of JSON lines.

    {"tablegram_backup": 1, "revision": …, "secret": …}    first line
    {"t": "messages", "r": {…}}                            a row a line, tables in the order of their references
    {"end": {"messages": 3, …}}                            last line; a file without it is not whole

Everything is read in one snapshot, so that a backup of a running installation is of one moment.
What only a running process means (owners, leases) is left out, and so are sessions and links: whoever was signed in
signs in again, and a link that was taken back since must not come to life.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import os
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, delete, func, select, tuple_
from sqlalchemy.exc import IntegrityError

from tablegram.errors import Conflict
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.migrate import migrate, migrate_to, newest, on_connection
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import metadata

FORMAT = 1
CHUNK = 2_000
_LEFT_OUT = ("owners", "leases", "panel_sessions", "panel_links")

After = Callable[[Connection, MetaData], None]


class Head(TypedDict):
    """The first line of a backup."""

    tablegram_backup: int
    revision: str
    # The fingerprint of the key that its secrets are sealed with.
    secret: str
    made_at: int


async def save(db: Database, path: Path, secret_fingerprint: str, now_ms: int) -> dict[str, int]:
    """Write a backup beside whatever is running; the file appears whole or not at all. Returns rows by table."""
    partial = path.with_name(path.name + ".partial")
    with os.fdopen(os.open(partial, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=6) as file:
            head: Head = {
                "tablegram_backup": FORMAT,
                "revision": newest(),
                "secret": secret_fingerprint,
                "made_at": now_ms,
            }
            _write(file, head)
            counts = await db.snapshot(lambda tx: _dump(tx, file))
            _write(file, {"end": counts})
        raw.flush()
        os.fsync(raw.fileno())
    partial.replace(path)
    return counts


async def _dump(tx: Tx, file: gzip.GzipFile) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table in metadata.sorted_tables:
        if table.name not in _LEFT_OUT:
            counts[str(table.name)] = await _dump_table(tx, table, file)
    return counts


async def _dump_table(tx: Tx, table: Table, file: gzip.GzipFile) -> int:
    key = list(table.primary_key)
    # SQLAlchemy's names are more than plain texts, which is all that JSON takes.
    table_name, names = str(table.name), [str(column.name) for column in table.columns]
    count, last = 0, None
    while True:
        page = select(table).order_by(*key).limit(CHUNK)
        if last is not None:
            page = page.where(tuple_(*key) > tuple_(*last))
        rows = await tx.all(Query(across_accounts(page, "a backup is of the whole installation")), {})
        for row in rows:
            _write(file, {"t": table_name, "r": {name: row[name] for name in names}})
        count += len(rows)
        if len(rows) < CHUNK:
            return count
        last = [rows[-1][column.name] for column in key]


def _write(file: gzip.GzipFile, line: Mapping[str, object]) -> None:
    file.write(msgspec.json.encode(line) + b"\n")


def read_head(path: Path) -> Head:
    with _readable(path), gzip.open(path, "rb") as file:
        head: Head = msgspec.json.decode(file.readline())
    if not isinstance(head, dict) or head.get("tablegram_backup") != FORMAT:
        raise Conflict(f"{path} is not a backup that this version can read.", code="backup_unreadable")
    return head


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Whatever a damaged file makes the readers say, the operator is told in plain words."""
    try:
        yield
    except (
        EOFError,
        gzip.BadGzipFile,
        zlib.error,
        msgspec.DecodeError,
        KeyError,
        binascii.Error,
        IntegrityError,
    ) as error:
        raise Conflict(
            f"{path} is not a whole backup: it is cut off, damaged or something else. Nothing was restored. "
            f"Use another backup ({type(error).__name__}).",
            code="backup_damaged",
        ) from error


def load(url: str, path: Path, after: After | None = None) -> dict[str, int]:
    """Fill an empty database from a backup, all or nothing, and bring it to the present schema.

    `after` puts right what must not be as it was, in the same transaction.
    """
    head = read_head(path)
    migrate_to(url, head["revision"])
    counts = on_connection(url, lambda connection: _load(connection, path, after))
    migrate(url)
    return counts


def _load(connection: Connection, path: Path, after: After | None) -> dict[str, int]:
    reflected = MetaData()
    with warnings.catch_warnings():
        # A file does not tell what expression an index is made of; rows need no index here.
        warnings.filterwarnings("ignore", ".*expression-based index")
        reflected.reflect(connection)
    if connection.execute(select(func.count()).select_from(reflected.tables["accounts"])).scalar_one():
        raise Conflict("The database is not empty. Restore into a new one.", code="database_not_empty")
    # What a migration or a first look noted about the empty database; the backup brings its own.
    connection.execute(delete(reflected.tables["installation"]))
    with _readable(path), gzip.open(path, "rb") as file:
        file.readline()
        counts = _load_rows(connection, reflected, file)
    if connection.dialect.name == "postgresql":
        _advance_sequences(connection, reflected)
    if after is not None:
        after(connection, reflected)
    return counts


def _load_rows(connection: Connection, tables: MetaData, file: gzip.GzipFile) -> dict[str, int]:
    counts: dict[str, int] = {}
    waiting: list[dict[str, Any]] = []
    name = ""
    for raw in file:
        line = msgspec.json.decode(raw)
        if waiting and (len(waiting) >= CHUNK or line.get("t") != name):
            connection.execute(tables.tables[name].insert(), waiting)
            waiting = []
        if "end" in line:
            if {table: count for table, count in line["end"].items() if count} != counts:
                raise Conflict("The backup is damaged: rows are missing.", code="backup_damaged")
            # The file's checksum stands behind its last line and is only looked at by who reads on to the end.
            if file.read():
                raise Conflict("The backup is damaged: something follows its end.", code="backup_damaged")
            return counts
        name = line["t"]
        waiting.append(_row(tables.tables[name], line["r"]))
        counts[name] = counts.get(name, 0) + 1
    raise Conflict("The backup is not whole: its end is missing.", code="backup_damaged")


def _row(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    binary = [column.name for column in table.columns if isinstance(column.type, LargeBinary)]
    return row | {name: base64.b64decode(row[name]) for name in binary if row[name] is not None}


def _advance_sequences(connection: Connection, tables: MetaData) -> None:
    """The server numbers new rows behind the restored ones."""
    for table in tables.tables.values():
        for column in table.primary_key:
            if column.autoincrement is True or (column.server_default is not None and column.name in ("id", "seq")):
                newest = connection.execute(select(func.max(column))).scalar_one() or 1
                sequence = func.pg_get_serial_sequence(table.name, column.name)
                connection.execute(select(func.setval(sequence, newest)))
