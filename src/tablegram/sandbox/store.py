"""The network's own file: SQLite in WAL mode, one connection, one writer.

`synchronous=NORMAL` keeps every commit over the death of the process, which is what the tests do
to it, and a commit costs about 30 µs; so statements run on the event loop's own thread. Only a
power cut could lose the last commits, and no one's real messages are in here.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tablegram.errors import Misconfigured
from tablegram.values.files.private import keep_private
from tablegram.values.secrets import SecretBox

_SCHEMA = """
CREATE TABLE IF NOT EXISTS numbers (
    id TEXT PRIMARY KEY, record TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS phones (
    number TEXT PRIMARY KEY, name TEXT NOT NULL, user_id TEXT NOT NULL UNIQUE, created_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, number_id TEXT NOT NULL, phone TEXT NOT NULL,
    direction TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, reply_to TEXT, correlation TEXT,
    at_ms INTEGER NOT NULL, content TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS messages_by_phone ON messages (phone, seq);
CREATE INDEX IF NOT EXISTS messages_unread ON messages (phone, seq) WHERE direction = 'in' AND status != 'read';
CREATE TABLE IF NOT EXISTS accepted (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, correlation TEXT, wamid TEXT NOT NULL, phone TEXT NOT NULL,
    number_id TEXT NOT NULL, at_ms INTEGER NOT NULL, duplicate INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS accepted_by_correlation ON accepted (correlation);
CREATE INDEX IF NOT EXISTS accepted_duplicates ON accepted (seq) WHERE duplicate = 1;
CREATE TABLE IF NOT EXISTS callbacks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, number_id TEXT NOT NULL, order_key TEXT NOT NULL, kind TEXT NOT NULL,
    message_id TEXT NOT NULL, status TEXT, value TEXT NOT NULL, due_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0, batched INTEGER NOT NULL DEFAULT 0, silent INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
);
CREATE TABLE IF NOT EXISTS media (
    id TEXT PRIMARY KEY, number_id TEXT NOT NULL, mime_type TEXT NOT NULL, filename TEXT NOT NULL,
    sha256 TEXT NOT NULL, size INTEGER NOT NULL, bytes BLOB NOT NULL, created_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS faults (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS payments (
    reference TEXT PRIMARY KEY, owner TEXT NOT NULL, link_id TEXT NOT NULL, secret TEXT NOT NULL, record TEXT NOT NULL,
    expires_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'open',
    paid INTEGER NOT NULL DEFAULT 0, refunded INTEGER NOT NULL DEFAULT 0, UNIQUE (owner, link_id)
);
CREATE INDEX IF NOT EXISTS payments_open ON payments (expires_ms) WHERE state = 'open';
CREATE TABLE IF NOT EXISTS payment_refunds (
    reference TEXT NOT NULL, refund_id TEXT NOT NULL, amount INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (reference, refund_id)
);
CREATE TABLE IF NOT EXISTS payment_signals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL, signal_id TEXT NOT NULL, body TEXT NOT NULL,
    due_ms INTEGER NOT NULL, created_ms INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, ended_ms INTEGER,
    last_error TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS payment_signals_due ON payment_signals (due_ms) WHERE ended_ms IS NULL;
CREATE TABLE IF NOT EXISTS templates (
    waba_id TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (waba_id, id)
);
CREATE TABLE IF NOT EXISTS counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""
# What later versions keep as well: the file of an earlier one gets it when it is opened.
_ADDED = (
    # The request that a line sent the message with.
    ("messages", "wire", "TEXT"),
    # When the callback came to its end, and every attempt, one JSON object a line.
    ("callbacks", "ended_ms", "INTEGER"),
    ("callbacks", "log", "TEXT NOT NULL DEFAULT ''"),
)
_INDEXES = """
DROP INDEX IF EXISTS callbacks_due;
CREATE INDEX IF NOT EXISTS callbacks_waiting ON callbacks (number_id, due_ms, seq) WHERE ended_ms IS NULL;
CREATE INDEX IF NOT EXISTS callbacks_by_message ON callbacks (message_id);
"""


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """A line of some business: its credentials, and where its callbacks go."""

    id: str
    access_token: str
    app_secret: str = ""
    verify_token: str = ""
    callback_url: str = ""
    display_phone_number: str = ""
    name: str = ""

    @property
    def waba_id(self) -> str:
        """The business account above the number: made from its id, so that it never changes."""
        return "1" + str(int.from_bytes(hashlib.sha256(self.id.encode()).digest()[:6]))[:14].zfill(14)

    @property
    def shown_name(self) -> str:
        return self.name or "Sandbox line"


class Media(msgspec.Struct, frozen=True):
    id: str
    number_id: str
    mime_type: str
    filename: str
    sha256: str
    size: int


class Store:
    """The file itself, its lines, its media and its counts. Chats and callbacks have modules of their own."""

    def __init__(self, path: Path, box: SecretBox | None = None) -> None:
        keep_private(path)
        self._box = box
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.executescript(_SCHEMA)
        for table, column, kind in _ADDED:
            if column not in {row[1] for row in self._db.execute(f"PRAGMA table_info({table})")}:
                self._db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")
        self._db.executescript(_INDEXES)
        self.execute = self._db.execute
        # Lines are few and asked for with every call, so they are kept at hand.
        self._numbers: dict[str, Number] = {}
        for (record,) in self.execute("SELECT record FROM numbers ORDER BY rowid").fetchall():
            self._load_number(record)

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is kept, or none of it. Never `await` inside: there is one connection."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.execute("ROLLBACK")
            raise
        self.execute("COMMIT")

    def seal(self, text: str) -> str:
        """A secret as the file may hold it."""
        return text if self._box is None else self._box.seal(text)

    def unseal(self, text: str) -> str:
        """Raises `Misconfigured` for what another secret key has sealed."""
        return text if self._box is None else self._box.open(text)

    # Lines.

    def numbers(self) -> list[Number]:
        return list(self._numbers.values())

    def number(self, number_id: str) -> Number | None:
        return self._numbers.get(number_id)

    def save_number(self, number: Number) -> None:
        """A line's credentials are those of the gateway too: in the file they are sealed."""
        record = msgspec.json.encode(number).decode()
        self.execute(
            "INSERT INTO numbers VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record",
            (number.id, self.seal(record)),
        )
        self._numbers[number.id] = number

    def forget_number(self, number_id: str) -> None:
        self.execute("DELETE FROM numbers WHERE id = ?", (number_id,))
        self._numbers.pop(number_id, None)

    def _load_number(self, record: str) -> None:
        try:
            clear = record if record.startswith("{") or self._box is None else self._box.open(record)
            number = msgspec.json.decode(clear, type=Number)
        except (Misconfigured, msgspec.DecodeError):
            # Of another secret key. The gateway registers its lines again, and phones keep their chats.
            return
        if self._box is not None and not self._box.is_current(record):
            self.save_number(number)
        self._numbers[number.id] = number

    # Media.

    def save_media(self, media: Media, content: bytes, now_ms: int) -> None:
        self.execute(
            "INSERT INTO media VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (media.id, media.number_id, media.mime_type, media.filename, media.sha256, media.size, content, now_ms),
        )

    def media(self, media_id: str) -> Media | None:
        row = self.execute(
            "SELECT id, number_id, mime_type, filename, sha256, size FROM media WHERE id = ?", (media_id,)
        ).fetchone()
        return Media(*row) if row else None

    def media_bytes(self, media_id: str) -> bytes:
        row = self.execute("SELECT bytes FROM media WHERE id = ?", (media_id,)).fetchone()
        return bytes(row[0]) if row else b""

    # Counts that outlive the rows they count.

    def count(self, name: str, by: int = 1) -> None:
        self.execute(
            "INSERT INTO counts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = value + excluded.value",
            (name, by),
        )

    def counts(self) -> dict[str, int]:
        return dict(self.execute("SELECT name, value FROM counts").fetchall())

    def clear_counts(self) -> None:
        with self.transaction():
            self.execute("DELETE FROM counts")
            self.execute("DELETE FROM accepted")
