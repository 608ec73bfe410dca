"""The file in which the library `neonize` keeps a device, and its copy for the server."""

from __future__ import annotations

import os
import sqlite3
import zlib
from pathlib import Path

from tablegram.linehost.engines.e2e.session import MAX_COPY, Session
from tablegram.linehost.engines.neonize.device import SHAPE


def keeps_a_session(folder: Path) -> None:
    """On the file that the library has just made."""
    session = Session(folder, SHAPE)
    assert session.copy() == b"", "no phone has let the device in"
    db = sqlite3.connect(session.path, isolation_level=None)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",), "whoever copies never locks the library out"
    db.execute("PRAGMA foreign_keys=OFF")
    columns = db.execute("PRAGMA table_info(whatsmeow_device)").fetchall()
    # Lengths and formats that the table itself asks for.
    made = {"jid": "905550001122:3@s.whatsapp.net", "noise_key": bytes(32), "identity_key": bytes(32)}
    made |= {"signed_pre_key": bytes(32), "signed_pre_key_sig": bytes(64), "adv_account_sig": bytes(64)}
    made |= {"adv_account_sig_key": bytes(32), "adv_device_sig": bytes(64)}
    values = [made.get(name, 1 if "INT" in kind.upper() or kind == "BIGINT" else b"x") for _, name, kind, *_ in columns]
    db.execute(f"INSERT INTO whatsmeow_device VALUES ({', '.join('?' * len(values))})", values)
    kept = session.copy()
    assert zlib.decompress(kept).startswith(b"SQLite format 3")

    # After a crash the file goes on; of another device, or logged out, it is put away.
    db.execute("UPDATE whatsmeow_device SET push_name = 'later'")
    Session(folder, SHAPE).begin(kept)
    assert db.execute("SELECT push_name FROM whatsmeow_device").fetchone() == ("later",)
    elsewhere = Session(folder / "elsewhere", SHAPE)
    elsewhere.begin(kept)
    assert elsewhere.copy() != b""
    assert (elsewhere.path.stat().st_mode & 0o077) == 0

    # A copy fits into a frame, whatever the device knows by now.
    rows = ((f"{n}@lid", os.urandom(1_000)) for n in range(1_500))
    db.executemany("INSERT INTO whatsmeow_sessions (our_jid, their_id, session) VALUES ('a', ?, ?)", rows)
    small = session.copy()
    assert 0 < len(small) <= MAX_COPY
    db.close()
    Session(folder, SHAPE).begin(b'{"id": "of another engine"}')
    assert Session(folder, SHAPE).copy() == b""
