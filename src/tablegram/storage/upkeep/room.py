"""How much room the store takes, and how much there is."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tablegram.settings import Settings
from tablegram.storage.database import sqlite_path

# Below this the next busy minute may find no room: a log of SQLite grows by 64 MB before it is moved into the file.
LEAST_BYTES = 64 * 1_048_576


@dataclass(frozen=True, slots=True)
class Room:
    kind: Literal["SQLite", "PostgreSQL"]
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


def is_full(error: BaseException) -> bool:
    """Whether something failed because there was no room for it."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def without_room(folders: Iterable[Path], least_bytes: int = LEAST_BYTES) -> list[Path]:
    """Those of these folders whose disk is as good as full."""
    return [folder for folder in folders if folder.is_dir() and shutil.disk_usage(folder).free < least_bytes]
