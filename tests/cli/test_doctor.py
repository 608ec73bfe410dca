"""tablegram doctor: what is right, what is wrong, and what to do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tablegram.settings import Settings
from tablegram.storage.database import Query, open_database
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import printers
from tests.cli.program import Program
from tests.contract.buckets import ACCESS_KEY, BUCKET, SECRET_KEY, running_bucket
from tests.ports import free_port


def findings(program: Program, code: int = 0) -> dict[str, dict[str, Any]]:
    return {one["about"]: one for one in program.json("doctor", code=code)}


@pytest.mark.later
def test_a_good_installation_is_well(program: Program) -> None:
    program("demo")
    found = findings(program)
    assert {about: found[about]["level"] for about in ("configuration", "clock", "storage")} == {
        "configuration": "ok", "clock": "ok", "storage": "ok",
    }  # fmt: skip
    assert not [one for one in found.values() if one["level"] == "bad"]
    assert "tablegram serve" in found["engine"]["detail"]
    assert any("Demo line" in one["detail"] for about, one in found.items() if about.startswith("line "))
    # The prices that are made up are said to be so.
    assert "TABLEGRAM_RATE_CARD" in found["rate card"]["detail"]


def test_printers_that_cannot_print_are_named_with_what_to_do(
    program: Program, database_url: str, tmp_path: Path
) -> None:
    program("demo")
    # The demo's are pictures.
    assert not [about for about in findings(program) if about.startswith("printer")]

    async def connect(status: str, seen_at: int | None) -> None:
        db = open_database(Settings(database_url=database_url, data_dir=tmp_path))
        await db.open()
        try:
            change = {"kind": "epson", "status": status, "seen_at": seen_at}
            await db.put((Query(across_accounts(update(printers).values(change), "a test connects them")), {}))
        finally:
            await db.close()

    for status, seen_at, words in (
        ("", None, "never been heard"),
        ('{"online":false}', 1, "fallen silent, last heard 1970-01-01"),
        ('{"paper":"out"}', 1, "out of paper"),
        ('{"error":"cutter"}', 1, "reports cutter"),
    ):
        asyncio.run(connect(status, seen_at))
        found = [one for about, one in findings(program).items() if about.startswith("printer ")]
        assert [(one["level"], words in one["detail"]) for one in found] == [("warn", True)] * 2, found
    asyncio.run(connect("{}", 1))
    assert findings(program)["printers"]["level"] == "ok"


def test_people_read_one_line_a_finding(program: Program) -> None:
    lines = program("doctor").splitlines()
    assert len(lines) == len(program.json("doctor"))
    assert all(line.startswith(("ok ", "look ", "WRONG ")) for line in lines)


def test_without_a_line_it_says_how_to_make_one(program: Program) -> None:
    assert "tablegram instance create" in findings(program)["lines"]["detail"]


@pytest.mark.later
def test_an_empty_database_is_wrong_and_says_to_migrate(
    program: Program, monkeypatch: pytest.MonkeyPatch, fresh_database_url: str
) -> None:
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", fresh_database_url)
    found = findings(program, code=1)["storage"]
    assert found["level"] == "bad"
    assert "tablegram migrate" in found["detail"]
    program("migrate")
    assert findings(program)["storage"]["level"] == "ok"


def test_in_a_folder_without_an_installation_it_says_so_and_makes_nothing(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TABLEGRAM_DATA_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.delenv("TABLEGRAM_DATABASE_URL")
    found = findings(program, code=1)
    assert list(found) == ["configuration"]
    assert str(tmp_path / "elsewhere") in found["configuration"]["detail"]
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [("TABLEGRAM_BILLING", "maybe"), ("TABLEGRAM_PORT", "0"), ("TABLEGRAM_RATE_CARD", "/nowhere/card.json")],
)
def test_a_wrong_setting_is_told_with_its_reason(
    program: Program, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(name, text)
    found = findings(program, code=1)["configuration"]
    assert found["level"] == "bad"
    assert name in found["detail"] or text in found["detail"]


@pytest.mark.later
def test_a_database_out_of_reach_is_told_without_its_password(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLEGRAM_DATABASE_URL", "postgresql://ada:hunter2@127.0.0.1:1/none")
    found = findings(program, code=1)["storage"]
    assert "TABLEGRAM_DATABASE_URL" in found["detail"]
    assert "hunter2" not in repr(found)


@pytest.mark.later
def test_another_secret_key_is_told(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    program("account", "create", "Meze")
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", "another secret key of sufficient length")
    assert any("secret" in one["detail"] for one in findings(program, code=1).values() if one["level"] == "bad")


def test_a_secret_key_that_others_can_read_is_told(program: Program, tmp_path: Path) -> None:
    program("account", "create", "Meze")
    (tmp_path / "data" / "secret.key").chmod(0o644)
    assert "chmod 600" in findings(program, code=1)["configuration"]["detail"]


def test_a_sandbox_open_to_the_world_is_pointed_out(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEGRAM_SANDBOX", "1")
    monkeypatch.setenv("TABLEGRAM_HOST", "0.0.0.0")
    assert findings(program)["sandbox"]["level"] == "warn"


def test_the_media_folder_is_tried_out_and_left_as_it_was(program: Program, tmp_path: Path) -> None:
    found = findings(program)["media store"]
    assert (found["level"], str(tmp_path / "data" / "media") in found["detail"]) == ("ok", True)
    assert list((tmp_path / "data").rglob("*doctor*")) == []


def test_a_media_folder_that_cannot_be_used_is_told(program: Program, tmp_path: Path) -> None:
    program("account", "create", "Meze")
    # Something else is where the folder should be: even the administrator cannot write there.
    (tmp_path / "data" / "media").write_text("not a folder")
    found = findings(program, code=1)["media store"]
    assert found["level"] == "bad"
    assert "owner of the folder" in found["detail"]
    assert list((tmp_path / "data").rglob("*doctor*")) == []


def test_a_bucket_is_tried_out_and_a_wrong_one_is_told_without_its_secret(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_bucket() as address:
        for name, value in {
            "MEDIA_URL": f"s3://{BUCKET}/some/prefix", "MEDIA_S3_ENDPOINT": address,
            "MEDIA_S3_ACCESS_KEY": ACCESS_KEY, "MEDIA_S3_SECRET_KEY": SECRET_KEY,
        }.items():  # fmt: skip
            monkeypatch.setenv(f"TABLEGRAM_{name}", value)
        good = findings(program)["media store"]
        assert (good["level"], f"s3://{BUCKET}" in good["detail"]) == ("ok", True)
        monkeypatch.setenv("TABLEGRAM_MEDIA_URL", "s3://no-such-bucket")
        missing = findings(program, code=1)["media store"]
    monkeypatch.setenv("TABLEGRAM_MEDIA_S3_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    away = findings(program, code=1)["media store"]
    for found in (missing, away):
        assert found["level"] == "bad"
        assert "TABLEGRAM_MEDIA_URL" in found["detail"]
        assert SECRET_KEY not in repr(found)


def test_the_keys_behind_table_codes_follow_the_secret_key(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("demo")
    assert findings(program)["table codes"]["level"] == "ok"
    former = (tmp_path / "data" / "secret.key").read_text().strip()
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", "another key of at least 32 characters")
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY_PREVIOUS", former)
    found = findings(program)["table codes"]
    assert found["level"] == "warn"
    assert "tablegram secret reseal" in found["detail"]
    assert program.json("secret", "reseal")["resealed"] >= 1
    assert findings(program)["table codes"]["level"] == "ok"
