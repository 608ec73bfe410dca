"""A backup holds everything of one moment, and a restored database is the same again."""

from __future__ import annotations

import asyncio
import gzip
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select

from tablegram.errors import Conflict
from tablegram.storage.database import Database, Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import inbox, leases, metadata, owners, panel_links, panel_sessions
from tablegram.storage.upkeep import archive
from tests.storage.opened import INSERT_MESSAGE, add_accounts, fact, message, opened
from tests.storage.schema import differences

pytestmark = pytest.mark.later

BINARY = bytes(range(256)) * 3
UNICODE = "Çay ☕ 茶 “quoted”\t\\ \U0001f35c é́ \u2028 İıŞş'\""

_INBOX = Query(
    insert(inbox).values(columns(inbox, "account_id", "source", "external_id", "body", "received_at", "due_at"))
)
_OWNER = Query(insert(owners).values(columns(owners)))
_LEASE = Query(insert(leases).values(columns(leases)))
_SESSION = Query(insert(panel_sessions).values(columns(panel_sessions)))
_LINK = Query(insert(panel_links).values(columns(panel_links)))


async def fill(db: Database) -> None:
    await add_accounts(db, 1, 2)
    for key in ("a", "b"):
        await db.put((INSERT_MESSAGE, message(1, key, text=UNICODE)), (INSERT_MESSAGE, message(2, key, text="")))
    row = {"account_id": 1, "source": "cloud:1", "received_at": 5, "due_at": 5}
    await db.put(
        (_INBOX, {**row, "external_id": "bytes", "body": BINARY}), (_INBOX, {**row, "external_id": "none", "body": b""})
    )
    await db.put(fact("n", UNICODE))
    await db.put((_OWNER, {"id": "o", "host": "h", "pid": 1, "started_ticks": 1, "heartbeat_at": 1, "role": "all"}))
    await db.put((_LEASE, {"name": "l", "owner_id": "o", "until": 1, "fence": 1}))
    await db.put(
        (_SESSION, {
            "token_hash": "h", "person_id": "p", "account_id": 1, "member_id": "", "created_at": 1, "last_seen_at": 1,
            "expires_at": 9, "passed_second": 1, "remote": "", "user_agent": "",
        }),
        (_LINK, {
            "token_hash": "h", "purpose": "reset", "account_id": None, "email": "a@example.com", "role": None,
            "expires_at": 9, "used_at": None, "created_at": 1, "created_by": "",
        }),
    )  # fmt: skip


async def contents(db: Database) -> dict[str, list[dict[str, Any]]]:
    found = {}
    for name, table in metadata.tables.items():
        statement = across_accounts(select(table).order_by(*table.primary_key), "a test compares everything")
        found[name] = [{column.name: row[column.name] for column in table.columns} for row in await db.all(statement)]
    return found


async def make(database_url: str, path: Path) -> dict[str, int]:
    async with opened(database_url) as db:
        await fill(db)
        return await archive.save(db, path, "fingerprint", 1_800_000_000_000)


def run(work: Any) -> Any:
    return asyncio.run(work)


# Here into a database without a table, as in life; elsewhere into one that is migrated already, which takes a third of the time.
@pytest.mark.slow
def test_what_is_restored_is_what_was_saved(make_database_url: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    first, second = make_database_url(), make_database_url(migrated=False)
    counts = run(make(first, path))
    assert (counts["messages"], counts["inbox"], counts["accounts"]) == (4, 2, 2)
    assert archive.load(second, path) == {name: count for name, count in counts.items() if count}

    async def compare() -> None:
        async with opened(first) as before, opened(second) as after:
            saved, restored = await contents(before), await contents(after)
            assert restored["inbox"][0]["body"] == BINARY
            assert restored["messages"][0]["text"] == UNICODE
            # Which process held what means nothing to the next installation; and nobody comes in by an old session.
            for name in ("owners", "leases", "panel_sessions", "panel_links"):
                assert saved.pop(name), name
                assert restored.pop(name) == [], name
            assert restored == saved

    run(compare())
    assert differences(second) == []


def test_new_rows_are_numbered_behind_the_restored_ones(make_database_url: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    run(make(make_database_url(), path))
    url = make_database_url()
    archive.load(url, path)

    async def add() -> None:
        async with opened(url) as db:
            row = {
                "account_id": 1,
                "source": "cloud:1",
                "received_at": 9,
                "due_at": 9,
                "external_id": "new",
                "body": b"!",
            }
            await db.put((_INBOX, row))
            assert [one["external_id"] for one in (await contents(db))["inbox"]] == ["bytes", "none", "new"]

    run(add())


def test_long_tables_are_saved_whole(
    make_database_url: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "CHUNK", 7)
    path = tmp_path / "backup.gz"

    async def save(url: str) -> None:
        async with opened(url) as db:
            await add_accounts(db, 1, 2, 3)
            await db.put(*[(INSERT_MESSAGE, message(1 + i % 3, f"{i:03}")) for i in range(50)])
            assert (await archive.save(db, path, "", 0))["messages"] == 50

    run(save(make_database_url()))
    assert archive.load(make_database_url(), path)["messages"] == 50


def test_only_its_owner_can_read_a_backup(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    run(make(database_url, path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert archive.read_head(path)["secret"] == "fingerprint"


def test_a_database_with_data_is_not_overwritten(database_url: str, tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    run(make(database_url, path))
    with pytest.raises(Conflict) as caught:
        archive.load(database_url, path)
    assert caught.value.code == "database_not_empty"


def without_end(lines: list[bytes]) -> list[bytes]:
    return lines[:-1]


def without_a_row(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], *lines[3:]]


@pytest.mark.parametrize("damage", [without_end, without_a_row])
def test_a_damaged_backup_restores_nothing(
    make_database_url: Callable[..., str], tmp_path: Path, damage: Callable[[list[bytes]], list[bytes]]
) -> None:
    path = tmp_path / "backup.gz"
    run(make(make_database_url(), path))
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(damage(lines))))
    url = make_database_url()

    async def look() -> dict[str, list[dict[str, Any]]]:
        async with opened(url) as db:
            return await contents(db)

    before = run(look())
    with pytest.raises(Conflict) as caught:
        archive.load(url, path)
    assert caught.value.code == "backup_damaged"
    assert run(look()) == before


@pytest.mark.parametrize(
    "whole",
    [b"", b"not compressed", gzip.compress(b""), gzip.compress(b"{}\n"), gzip.compress(b"[1]\n")],
    ids=["empty", "plain", "nothing inside", "no head", "no object"],
)
def test_a_file_that_is_no_backup_is_told_as_such(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "backup.gz"
    path.write_bytes(whole)
    with pytest.raises(Conflict) as caught:
        archive.read_head(path)
    assert caught.value.code in ("backup_unreadable", "backup_damaged")


def test_a_backup_cut_short_is_told_as_damaged(make_database_url: Callable[..., str], tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    run(make(make_database_url(), path))
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(Conflict) as caught:
        archive.load(make_database_url(), path)
    assert caught.value.code == "backup_damaged"


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "backup.gz"
    path.write_bytes(gzip.compress(msgspec.json.encode({"tablegram_backup": archive.FORMAT + 1}) + b"\n"))
    with pytest.raises(Conflict):
        archive.read_head(path)
