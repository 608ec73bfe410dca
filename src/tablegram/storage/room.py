"""How much room the store takes, and how much there is."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from tablegram.settings import Settings
from tablegram.storage.database import sqlite_path


@dataclass(frozen=True, slots=True)
class Room:
    kind: str
    # Bytes of the database's own files; nothing where another server keeps them.
    size: int | None
    # Of the disk that holds the data folder.
    disk_free: int
    disk_total: int


def measure_room(settings: Settings) -> Room:
    path = sqlite_path(settings.effective_database_url)
    disk = shutil.disk_usage(settings.data_dir)
    if path is None:
        return Room("PostgreSQL", None, disk.free, disk.total)
    files = [path, path.with_name(path.name + "-wal")]
    return Room("SQLite", sum(file.stat().st_size for file in files if file.exists()), disk.free, disk.total)
