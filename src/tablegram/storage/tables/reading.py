"""The language model that may read guests' texts: who uses it, what it costs, and which texts wait for it."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import flag, metadata, number, text, time_ms

# An account's switch, and how it went last.
readers = Table(
    "readers",
    metadata,
    number("account_id"),
    flag("is_on"),
    # Why the last call came to nothing, as a code; empty where it did not.
    text("trouble"),
    time_ms("trouble_at", nullable=True),
    time_ms("answered_at", nullable=True),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id"),
)

# What an account spent on a day of UTC, counted from 1970. Taken before a call, and put right after it.
reader_days = Table(
    "reader_days",
    metadata,
    number("account_id"),
    number("day"),
    number("calls", 0),
    number("tokens", 0),
    PrimaryKeyConstraint("account_id", "day"),
)

# A guest's text that the rules did not read, until the model has answered or is given up. Gone once it is answered.
waiting_texts = Table(
    "waiting_texts",
    metadata,
    number("account_id"),
    text("message_key"),
    text("venue_id"),
    # The line that was written to.
    number("instance_id"),
    text("phone"),
    text("name"),
    text("contact_id"),
    text("language"),
    text("text"),
    time_ms("written_at"),
    time_ms("asked_at"),
    # When another process may take it up, because the one that has it is dead.
    time_ms("due_at"),
    # When the guest wrote last before it; empty where never.
    time_ms("previous_at", nullable=True),
    PrimaryKeyConstraint("account_id", "message_key"),
)
Index("ix_waiting_texts_due", waiting_texts.c.due_at)
