"""The files of a SQLite database: sound, or damaged and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tablegram.cli.alone import only_server
from tablegram.engine.health.checkup import Finding
from tablegram.errors import Conflict
from tablegram.settings import Settings
from tablegram.storage.database import sqlite_path
from tablegram.storage.upkeep.soundness import Log, check_pages, read_log

_SAVE = (
    "Start nothing yet: copy {path} and the files beside it ({name}-wal, {name}-shm) away, "
    "then restore a backup or start with what can still be read."
)


def check_files(settings: Settings) -> Iterator[Finding]:
    path = sqlite_path(settings.effective_database_url)
    if path is None or not path.exists() or not path.stat().st_size:
        return
    try:
        with only_server(settings.data_dir):
            log = read_log(path)
    except Conflict:
        # What the server has read it holds; and what it writes this moment would look damaged.
        yield from _pages(path, "its log is looked at only while no server runs")
        return
    if log.damaged_at is not None:
        yield _damaged(path, log)
        return
    yield from _pages(path, f"{log.transactions:,} transactions in its log can be read")


def lost_in_log(settings: Settings) -> str:
    """What a server that starts now would forget without a word, in words; nothing when that is nothing."""
    path = sqlite_path(settings.effective_database_url)
    log = Log(0) if path is None else read_log(path)
    found = None if path is None or log.damaged_at is None else _damaged(path, log)
    return "" if found is None or found.level != "bad" else found.words


def _damaged(path: Path, log: Log) -> Finding:
    save = _SAVE.format(path=path, name=path.name)
    if log.damaged_at == 0:
        return Finding("database file", "bad", f"the log of {path} cannot be read: what it holds is lost. {save}")
    where = f"the log of {path} is damaged at byte {log.damaged_at:,}"
    if log.lost > 1:
        words = f"{where}: {log.lost:,} transactions behind that place are lost when the database is opened. {save}"
        return Finding("database file", "bad", words)
    # One at the end that broke off is what a power cut leaves: nobody was told that it is kept.
    return Finding("database file", "warn", f"{where}, at its end, as a power cut leaves it: nothing to do")


def _pages(path: Path, log: str) -> Iterator[Finding]:
    found = check_pages(path)
    if found:
        save = _SAVE.format(path=path, name=path.name)
        yield Finding("database file", "bad", f"{path} is damaged ({found[0]}). {save}")
        return
    yield Finding("database file", "ok", f"{path} is sound as far as can be seen; {log}")
