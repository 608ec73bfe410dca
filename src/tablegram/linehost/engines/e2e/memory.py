"""What an engine has to know later of a message: who wrote it and where, and how to fetch its file.

A file of the host's folder, readable by its user alone; logging out erases it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import NamedTuple

# The newest so many are known; older ones cannot be marked as read or fetched any more.
KEPT = 20_000


class Known(NamedTuple):
    """`file`: the message itself, where it has one to fetch; else empty."""

    chat: str
    sender: str
    is_mine: bool
    file: bytes = b""


class Memory:
    """Any thread may use it."""

    def __init__(self, path: Path) -> None:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS messages (n INTEGER PRIMARY KEY, id TEXT UNIQUE, chat TEXT, sender TEXT,"
            " is_mine INTEGER, file BLOB)"
        )

    def keep(self, message_id: str, chat: str, sender: str, is_mine: bool, file: bytes = b"") -> None:
        """`file`: the message itself, where it has one to fetch."""
        with self._lock:
            done = self._db.execute(
                "INSERT INTO messages (id, chat, sender, is_mine, file) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (message_id, chat, sender, is_mine, file),
            )
            if done.lastrowid and done.lastrowid % 500 == 0:
                self._db.execute("DELETE FROM messages WHERE n <= ?", (done.lastrowid - KEPT,))

    def find(self, message_id: str) -> Known | None:
        with self._lock:
            row = self._db.execute(
                "SELECT chat, sender, is_mine, file FROM messages WHERE id = ?", (message_id,)
            ).fetchone()
        return None if row is None else Known(row[0], row[1], bool(row[2]), row[3])

    def forget(self) -> None:
        with self._lock:
            self._db.execute("DELETE FROM messages")

    def close(self) -> None:
        with self._lock:
            self._db.close()
