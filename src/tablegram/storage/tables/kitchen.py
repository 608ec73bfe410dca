"""How far each line of an order is at its station, who tapped what, and whose turn it is at a shared tablet."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import metadata, number, optional_text, text, time_ms

# A line that nobody has touched has no row, and waits.
order_progress = Table(
    "order_progress",
    metadata,
    number("account_id"),
    text("order_key"),
    # Which line: a digest of the dish, its options and its note.
    text("line"),
    text("station"),
    text("state"),
    # How many portions were made when it was done: more may have been ordered since.
    number("portions", 0),
    time_ms("started_at", nullable=True),
    time_ms("done_at", nullable=True),
    # The tap that made it what it is.
    text("tap"),
    text("by"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "order_key", "line"),
    CheckConstraint("state in ('waiting', 'cooking', 'done')", name="state"),
)

order_taps = Table(
    "order_taps",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("order_key"),
    # Empty for who tapped the whole order.
    text("station"),
    text("action"),
    # JSON: the lines that it moved, as they were before.
    text("lines"),
    text("by"),
    time_ms("at"),
    time_ms("undone_at", nullable=True),
    optional_text("undone_by"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("action in ('start', 'finish', 'recall')", name="action"),
)
Index("ix_order_taps_order", order_taps.c.account_id, order_taps.c.order_key, order_taps.c.id)
Index("ix_order_taps_venue", order_taps.c.account_id, order_taps.c.venue_id, order_taps.c.id)

# Four digits by which a waiter is known at a shared tablet of the venue; only their keyed hash is kept.
waiter_pins = Table(
    "waiter_pins",
    metadata,
    number("account_id"),
    text("venue_id"),
    text("waiter_id"),
    text("pin_hash"),
    time_ms("set_at"),
    PrimaryKeyConstraint("account_id", "waiter_id"),
    UniqueConstraint("account_id", "venue_id", "pin_hash"),
)

# Who is at a tablet that somebody else has signed in.
tablet_turns = Table(
    "tablet_turns",
    metadata,
    number("account_id"),
    text("session_id"),
    text("venue_id"),
    text("waiter_id"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "session_id"),
)
