"""What the engine keeps: who is running, what came in, and which keys were used."""

from __future__ import annotations

from sqlalchemy import Column, LargeBinary, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, Serial, metadata, number, optional_text, text, time_ms

# One row a running process; its leases are free once its heartbeat stops or its pid is gone.
owners = Table(
    "owners",
    metadata,
    text("id", primary_key=True),
    text("host"),
    number("pid"),
    number("started_ticks"),
    time_ms("heartbeat_at"),
    # What it does: all, or a part of the work.
    text("role", server_default=sql("'all'")),
)

# Times are the database's own. A lease that was given back keeps its row, and with it its fence: a number that grows
# with every change of owner.
leases = Table(
    "leases",
    metadata,
    text("name", primary_key=True),
    text("owner_id"),
    time_ms("until"),
    number("fence", 0),
)

# Everything from outside, raw, before any work is done on it.
inbox = Table(
    "inbox",
    metadata,
    Column("id", Serial, primary_key=True),
    number("account_id"),
    text("source"),
    text("external_id"),
    Column("body", LargeBinary, nullable=False),
    time_ms("received_at"),
    time_ms("done_at", nullable=True),
    number("attempts", 0),
    time_ms("due_at"),
    optional_text("error"),
    UniqueConstraint("source", "external_id"),
)
Index(
    "ix_inbox_pending",
    inbox.c.due_at,
    inbox.c.id,
    where="done_at is null",
)

idempotency = Table(
    "idempotency",
    metadata,
    number("account_id"),
    text("route"),
    text("key"),
    text("fingerprint"),
    # The message made under this key, so that a crash leaves something to answer from.
    optional_text("message_key"),
    text("owner_id"),
    # Empty while the first call is still running.
    number("status", nullable=True),
    optional_text("body"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "route", "key"),
)
Index("ix_idempotency_created_at", idempotency.c.created_at)

# Facts about the installation itself, such as the fingerprint of its secret key.
installation = Table(
    "installation",
    metadata,
    text("name", primary_key=True),
    text("value"),
)
