"""tablegram backup, restore, purge, requests."""

from __future__ import annotations

import asyncio
import gzip
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from tablegram.accounts.rows import NewCall
from tablegram.api.records.request_log import RequestLog
from tablegram.cli.alone import only_server
from tablegram.storage.database import Database
from tablegram.storage.tables import messages
from tablegram.values.clock import DAY_MS, Clock
from tests.cli.program import Program
from tests.messaging.gateway import gateway
from tests.storage.opened import opened

# A backup holds what the database says, in its own way.
pytestmark = pytest.mark.later


async def work_a_little(database_url: str) -> None:
    """One message sent and one still queued, in an account of its own."""
    async with gateway(database_url, account_names=("Meze", "Kebap")) as one:
        await one.add_line()
        await one.send(text="sent")
        await one.send(text="queued", send_at_ms=one.clock.now_ms() + DAY_MS)


async def states(database_url: str) -> dict[str, tuple[str, str | None]]:
    async with opened(database_url) as db:
        rows = await db.all(select(messages).where(messages.c.account_id == 1))
        return {row["text"]: (row["state"], row["error_code"]) for row in rows}


@pytest.fixture
def backup(program: Program, database_url: str, tmp_path: Path) -> Path:
    asyncio.run(work_a_little(database_url))
    path = tmp_path / "backup.gz"
    made = program.json("backup", str(path))
    assert made["file"] == str(path)
    assert (made["rows"]["messages"], made["rows"]["accounts"]) == (2, 2)
    return path


def test_a_backup_is_private_and_says_that_the_key_is_not_in_it(program: Program, backup: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert "keep that apart" in program("backup", str(tmp_path / "second.gz"))
    secret = (tmp_path / "data" / "secret.key").read_text().strip()
    assert secret.encode() not in gzip.decompress(backup.read_bytes())


@pytest.mark.parametrize(
    ("option", "queued", "stopped"), [((), ("failed", "restored_unsent"), 1), (("--send-queued",), ("queued", None), 0)]
)
def test_what_was_queued_is_sent_after_a_restore_only_if_told(
    program: Program, backup: Path, monkeypatch: pytest.MonkeyPatch, make_database_url: Callable[..., str],
    option: tuple[str, ...], queued: tuple[str, str | None], stopped: int,
) -> None:  # fmt: skip
    url = make_database_url(migrated=False)
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", url)
    restored = program.json("restore", str(backup), *option)
    assert (restored["rows"]["messages"], restored["restored_unsent"]) == (2, stopped)
    assert asyncio.run(states(url)) == {"sent": ("sent", None), "queued": queued}
    assert [account["name"] for account in program.json("account", "list")] == ["Meze", "Kebap"]


@pytest.mark.both
def test_a_new_cluster_takes_over_from_a_backup_and_the_secret_key(
    program: Program, monkeypatch: pytest.MonkeyPatch, make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    program("account", "create", "Meze")
    key = program.json("key", "create", "--account", "Meze")
    saved = tmp_path / "nightly.backup"
    program("backup", str(saved))
    # Another database and another folder, migrated and looked at by its own pods before anybody restores.
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", (tmp_path / "data" / "secret.key").read_text().strip())
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", make_database_url(migrated=False))
    program("migrate")
    assert program.json("account", "list") == []
    program("restore", str(saved))
    assert [one["id"] for one in program.json("key", "list", "--account", "Meze")] == [key["id"]]
    assert "serves" not in program("migrate")


def test_a_database_with_data_is_not_overwritten(program: Program, backup: Path) -> None:
    assert program.refusal("restore", str(backup)) == "database_not_empty"


def test_a_backup_of_another_secret_key_is_refused_before_anything_is_done(
    program: Program, backup: Path, monkeypatch: pytest.MonkeyPatch, make_database_url: Callable[..., str]
) -> None:
    url = make_database_url()
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", url)
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", "another secret key of sufficient length")
    assert program.refusal("restore", str(backup)) == "secret_key_differs"
    assert asyncio.run(states(url)) == {}


def test_a_file_that_is_no_backup_is_refused(program: Program, tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada")
    assert program.refusal("restore", str(path)).startswith("backup_")
    assert program.json("restore", str(tmp_path / "nothing"), code=2)["error"]["code"] == "usage"


def test_nothing_is_restored_under_a_running_server(program: Program, backup: Path, tmp_path: Path) -> None:
    with only_server(tmp_path / "data"):
        assert program.refusal("restore", str(backup)) == "already_running"


def test_a_backup_into_a_folder_that_is_not_there_is_told(program: Program, tmp_path: Path) -> None:
    program("account", "create", "Meze")
    assert program.refusal("backup", str(tmp_path / "nowhere" / "backup.gz")) == "system_error"


async def log_calls(database_url: str, *ages_days: int) -> None:
    async with opened(database_url) as db:
        await _log(db, ages_days)


async def _log(db: Database, ages_days: tuple[int, ...]) -> None:
    log = RequestLog(db)
    for age in ages_days:
        row: NewCall = {
            "account_id": 1, "request_id": f"request-{age}", "key_id": "k1", "method": "POST",
            "path": "/api/v1/messages/send", "status": 422, "code": "phone_invalid", "detail": "Write it properly.",
            "duration_us": 1_500, "remote": "192.0.2.1", "created_at": Clock().now_ms() - age * DAY_MS,
        }  # fmt: skip
        log.add(row)
    await log.flush()


def test_purging_forgets_what_is_past_its_time(program: Program, database_url: str) -> None:
    program("account", "create", "Meze")
    asyncio.run(log_calls(database_url, 0, 29, 31, 90))
    forgotten = program.json("purge")
    assert forgotten.pop("requests") == 2
    assert set(forgotten) >= {"callbacks", "events", "imports", "audit"}
    assert set(forgotten.values()) == {0}
    said = program("purge")
    assert said.startswith("Forgotten: 0 ")
    assert " 0 requests," in said
    assert " 0 callbacks," in said
    assert len(program.json("requests", "list", "--account", "Meze")) == 2


def test_a_call_is_found_by_its_request_id(program: Program, database_url: str) -> None:
    program("account", "create", "Meze")
    program("account", "create", "Kebap")
    asyncio.run(log_calls(database_url, 1))
    found = program.json("requests", "show", "request-1", "--account", "Meze")
    assert (found["path"], found["status"], found["code"]) == ("/api/v1/messages/send", 422, "phone_invalid")
    assert found["duration_ms"] == 1.5
    assert "phone_invalid" in program("requests", "show", "request-1", "--account", "Meze")
    for other in (("request-2", "--account", "Meze"), ("request-1", "--account", "Kebap")):
        assert program.refusal("requests", "show", *other) == "request_unknown"


def test_calls_are_listed_newest_first(program: Program, database_url: str) -> None:
    program("account", "create", "Meze")
    assert "No call" in program("requests", "list", "--account", "Meze")
    asyncio.run(log_calls(database_url, 3, 2, 1))
    found = program.json("requests", "list", "--account", "Meze", "--limit", "2")
    assert [one["request_id"] for one in found] == ["request-1", "request-2"]
    assert program("requests", "list", "--account", "Meze").splitlines()[0].startswith("AT")
    program("requests", "list", "--account", "Meze", "--limit", "0", code=2)
