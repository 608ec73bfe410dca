"""Damage to the files of a database is seen before anything forgets it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablegram.cli.doctor.files import check_files, lost_in_log
from tablegram.settings import Settings
from tablegram.storage.upkeep.soundness import check_pages, read_log
from tests.storage.left_behind import leave_behind, rows

pytestmark = pytest.mark.once

ROWS = 40


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    return leave_behind(tmp_path, ROWS)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def spoil(path: Path, at: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[at] ^= 0xFF
    path.write_bytes(raw)


def told(path: Path) -> list[tuple[str, str]]:
    return [(one.level, one.words) for one in check_files(Settings(data_dir=path.parent))]


def test_a_sound_log_is_read_to_its_end_and_nothing_is_changed_by_looking(killed: Path) -> None:
    before = log_of(killed).read_bytes()
    # The table, and each row.
    assert read_log(killed).transactions == ROWS + 1
    assert log_of(killed).read_bytes() == before
    ((level, words),) = told(killed)
    assert (level, f"{ROWS + 1} transactions in its log can be read" in words) == ("ok", True)
    assert rows(killed) == ROWS


def test_what_a_damaged_log_loses_is_counted_and_told_before_it_is_opened(killed: Path) -> None:
    size = log_of(killed).stat().st_size
    spoil(log_of(killed), size // 2)
    log = read_log(killed)
    assert log.damaged_at is not None
    assert 0 < log.transactions < ROWS
    assert log.transactions + log.lost == ROWS + 1
    ((level, words),) = told(killed)
    assert level == "bad"
    assert f"{log.lost} transactions behind that place are lost" in words
    # A server that starts all the same says so in its log.
    assert lost_in_log(Settings(data_dir=killed.parent)) == words
    # This is what the database itself says of it: nothing.
    assert check_pages(killed) == []
    assert rows(killed) == log.transactions - 1


def test_a_log_that_broke_off_at_its_end_is_what_a_power_cut_leaves(killed: Path) -> None:
    whole = log_of(killed).read_bytes()
    spoil(log_of(killed), len(whole) - 10)
    ((level, words),) = told(killed)
    assert (level, "power cut" in words) == ("warn", True)
    assert lost_in_log(Settings(data_dir=killed.parent)) == ""
    log_of(killed).write_bytes(whole[:-100])
    assert read_log(killed).damaged_at is None


def test_a_log_that_cannot_be_read_at_all_and_pages_that_are_none_are_told(killed: Path) -> None:
    spoil(log_of(killed), 2)
    ((level, words),) = told(killed)
    assert (level, "cannot be read" in words) == ("bad", True)
    log_of(killed).unlink()
    spoiled = bytearray(killed.read_bytes().ljust(8_192, b"\0"))
    spoiled[100:4_000] = b"\xff" * 3_900
    killed.write_bytes(bytes(spoiled))
    assert [level for level, _ in told(killed)] == ["bad"]


def test_a_database_that_is_not_there_or_elsewhere_is_not_looked_at(tmp_path: Path) -> None:
    assert told(tmp_path / "nothing.db") == []
    assert list(check_files(Settings(database_url="postgresql://somewhere/name"))) == []
