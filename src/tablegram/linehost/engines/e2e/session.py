"""The device's keys: a file of the library while the line runs, and a copy of it that the server seals and keeps.

The file changes with each message; the copy is made when the device is let in, and every ten minutes in which something changed.
The next host goes on with the file where it stood, if it belongs to a copy that the server has; a host elsewhere begins
with the copy, and the network's phones send again what that cannot read.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from pathlib import Path
from typing import NamedTuple

# What fits into a frame, in base64 and with all that stands around it.
MAX_COPY = 720_000
KNOWN_COPIES = 50


class Shape(NamedTuple):
    """What is known of a library's file: how to see that a phone has let the device in, and what it can do without.

    `spare`: tables, the cheapest first; a copy that is too large goes without them. Phones send their conversation's keys
    again when they are asked to.
    """

    linked: str
    spare: tuple[tuple[str, ...], ...]


class Session:
    def __init__(self, folder: Path, shape: Shape) -> None:
        self._shape = shape
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder / "device.db"
        # Digests of the newest copies: which of them the server has kept is not known here.
        self._marks = folder / "device.copies"

    def begin(self, kept: bytes | None) -> None:
        """Have the file as it should be: as it stood, from the server's copy, or empty. A copy of an engine that keeps
        something else is none: the phone is to be paired again."""
        if kept and self.path.exists() and _digest(kept) in self._copies():
            return
        self.erase()
        os.close(os.open(self.path, os.O_CREAT | os.O_WRONLY, 0o600))
        file = _unpacked(kept)
        if kept and file:
            self.path.write_bytes(file)
            self._mark(kept)
        db = sqlite3.connect(self.path)
        try:
            # The library does not wait for a lock: whoever reads must never hold one against it.
            db.execute("PRAGMA journal_mode=WAL")
        finally:
            db.close()

    def copy(self) -> bytes:
        """What to keep; nothing as long as no phone has let the device in."""
        path = self.path.with_suffix(".new")
        path.unlink(missing_ok=True)
        db = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, isolation_level=None)
        try:
            if not self._is_linked(db):
                return b""
            db.execute("VACUUM INTO ?", (str(path),))
        finally:
            db.close()
        try:
            packed = _smaller(path, self._shape.spare)
        finally:
            path.unlink(missing_ok=True)
        self._mark(packed)
        return packed

    def _is_linked(self, db: sqlite3.Connection) -> bool:
        try:
            return db.execute(self._shape.linked).fetchone() is not None
        except sqlite3.OperationalError:
            return False

    def _copies(self) -> list[str]:
        return self._marks.read_text().split() if self._marks.exists() else []

    def _mark(self, copied: bytes) -> None:
        self._marks.write_text("\n".join([*self._copies(), _digest(copied)][-KNOWN_COPIES:]))

    def stamp(self) -> tuple[int, ...]:
        """Changes when the file does."""
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return tuple(one.stat().st_mtime_ns if one.exists() else 0 for one in files)

    def erase(self) -> None:
        for name in ("", "-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + name).unlink(missing_ok=True)
        self._marks.unlink(missing_ok=True)


def _smaller(path: Path, spare: tuple[tuple[str, ...], ...]) -> bytes:
    """A copy that fits."""
    packed = zlib.compress(path.read_bytes(), 6)
    for tables in spare:
        if len(packed) <= MAX_COPY:
            break
        db = sqlite3.connect(path, isolation_level=None)
        try:
            there = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            for table in tables:
                if table in there:
                    db.execute(f'DELETE FROM "{table}"')  # noqa: S608 - a name of ours
            db.execute("VACUUM")
        finally:
            db.close()
        packed = zlib.compress(path.read_bytes(), 6)
    return packed


def _unpacked(kept: bytes | None) -> bytes:
    try:
        file = zlib.decompress(kept or b"")
    except zlib.error:
        return b""
    return file if file.startswith(b"SQLite format 3\0") else b""


def _digest(kept: bytes) -> str:
    return hashlib.sha256(kept).hexdigest()
