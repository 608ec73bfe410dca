"""The drawer: every movement of cash, and the counts that close them.

Amounts are whole minor units. A movement is added once and belongs to one count, which it gets when that is made; a count
never changes.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, metadata, number, optional_text, text, time_ms

till_counts = Table(
    "till_counts",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # From 1, without a gap: two who count at once cannot both close the same cash.
    number("number"),
    text("currency"),
    # What the count before left in the drawer.
    number("opening"),
    number("taken"),
    number("tips"),
    number("handed_in"),
    number("put_in"),
    number("given_back"),
    number("paid_out"),
    number("expected"),
    number("counted"),
    # What stays in the drawer for the next shift.
    number("kept"),
    # JSON: how many of which note and coin, where somebody counted so.
    text("notes"),
    text("reason"),
    text("by"),
    # The count before; the first one has none.
    time_ms("since", nullable=True),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "number"),
    CheckConstraint("expected = opening + taken + tips + handed_in + put_in - given_back - paid_out", name="expected"),
    CheckConstraint("kept >= 0 and kept <= counted", name="kept"),
)

till_movements = Table(
    "till_movements",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("kind"),
    # Always more than nothing; the kind says which way.
    number("amount"),
    text("currency"),
    # What it came from (a payment, its tip, a courier's shift), which is in the drawer once.
    optional_text("source"),
    text("by"),
    text("reason"),
    time_ms("created_at"),
    optional_text("count_id"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "source"),
    CheckConstraint("kind in ('taken', 'tips', 'handed_in', 'put_in', 'given_back', 'paid_out')", name="kind"),
    CheckConstraint("amount > 0", name="amount"),
)
Index(
    "ix_till_movements_open",
    till_movements.c.account_id,
    till_movements.c.venue_id,
    till_movements.c.created_at,
    where="count_id is null",
)
Index("ix_till_movements_count", till_movements.c.account_id, till_movements.c.count_id, till_movements.c.created_at)
