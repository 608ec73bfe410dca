"""Events, the endpoints they go to, and every delivery and attempt."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, Serial, metadata, number, optional_text, text, time_ms

# In a file, numbers are never used again, as its migration says.
events = Table(
    "events",
    metadata,
    # The order of the pull feed: numbers grow in the order of the commits.
    Column("seq", Serial, primary_key=True),
    number("account_id"),
    text("id"),
    text("type"),
    # Events of one sender are delivered in order.
    text("sender"),
    text("body"),
    time_ms("created_at"),
    # The request that began what it tells of.
    optional_text("trace"),
    UniqueConstraint("account_id", "id"),
)
Index("ix_events_account_id_seq", events.c.account_id, events.c.seq)

webhooks = Table(
    "webhooks",
    metadata,
    number("account_id"),
    text("id"),
    text("url"),
    text("description"),
    # Space-separated event types; `*` is all of them.
    text("events"),
    text("state"),
    text("reason"),
    # Sealed. During a rotation the previous secret signs too.
    text("secret"),
    optional_text("previous_secret"),
    time_ms("previous_until", nullable=True),
    # Since when nothing but failures came back; empty while it is well.
    time_ms("failing_since", nullable=True),
    # When its owner was told of that, so that one bad period is told once.
    time_ms("warned_at", nullable=True),
    time_ms("created_at"),
    time_ms("deleted_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('active', 'disabled')", name="state"),
)

# One row for each event and endpoint: the key says that nothing is delivered twice by plan. An event's id grows with
# time, so the key is also the order of the queue and of the log.
deliveries = Table(
    "deliveries",
    metadata,
    number("account_id"),
    text("webhook_id"),
    text("event_id"),
    text("sender"),
    text("state"),
    number("attempts", 0),
    time_ms("due_at"),
    time_ms("created_at"),
    time_ms("delivered_at", nullable=True),
    number("last_status", nullable=True),
    optional_text("last_error"),
    PrimaryKeyConstraint("account_id", "webhook_id", "event_id"),
    CheckConstraint("state in ('pending', 'delivered', 'dead')", name="state"),
)
Index(
    "ix_deliveries_pending",
    deliveries.c.account_id,
    deliveries.c.webhook_id,
    deliveries.c.event_id,
    where="state = 'pending'",
)
# What was given up. What arrives, by far the most, is in neither.
Index(
    "ix_deliveries_dead",
    deliveries.c.account_id,
    deliveries.c.webhook_id,
    deliveries.c.event_id,
    where="state = 'dead'",
)

delivery_attempts = Table(
    "delivery_attempts",
    metadata,
    number("account_id"),
    text("webhook_id"),
    text("event_id"),
    text("id"),
    time_ms("at"),
    number("latency_ms"),
    number("status", nullable=True),
    optional_text("error"),
    # The first bytes of the answer, as text.
    text("answer"),
    PrimaryKeyConstraint("account_id", "webhook_id", "event_id", "id"),
)
