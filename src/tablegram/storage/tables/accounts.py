"""Accounts, their plans, people, keys, money, and the log of what was called."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, ForeignKey, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, Serial, flag, metadata, number, optional_text, text, time_ms

plans = Table(
    "plans",
    metadata,
    text("name", primary_key=True),
    number("free_messages"),
    number("free_hours"),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", Serial, primary_key=True),
    text("name"),
    text("state"),
    Column("plan", ForeignKey("plans.name"), nullable=False),
    number("balance_micros", 0),
    # The free quota starts with the first send, not with the account.
    time_ms("quota_started_at", nullable=True),
    number("quota_used", 0),
    # Thousandths of a request per second, and the burst; empty means the installation's figures.
    number("rate_limit_milli", nullable=True),
    number("rate_burst", nullable=True),
    # Whether the bodies of its API calls are kept beside the log.
    flag("keeps_bodies"),
    time_ms("created_at"),
    UniqueConstraint("name"),
    CheckConstraint("state in ('active', 'suspended')", name="state"),
)

members = Table(
    "members",
    metadata,
    Column("account_id", ForeignKey("accounts.id"), nullable=False),
    text("id"),
    text("email"),
    text("name"),
    text("role"),
    time_ms("created_at"),
    # Who signs in as this member; empty until they have accepted.
    optional_text("person_id"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "email"),
    CheckConstraint("role in ('owner', 'manager', 'staff', 'kitchen', 'developer')", name="role"),
)
Index("ix_members_person", members.c.person_id)

api_keys = Table(
    "api_keys",
    metadata,
    Column("account_id", ForeignKey("accounts.id"), nullable=False),
    text("id"),
    text("mode"),
    text("name"),
    # HMAC of the whole key; the key itself is never stored.
    text("hash"),
    text("last4"),
    text("scopes"),
    time_ms("created_at"),
    time_ms("expires_at", nullable=True),
    time_ms("revoked_at", nullable=True),
    time_ms("last_used_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("hash"),
    CheckConstraint("mode in ('live', 'test')", name="mode"),
)

# Every change of a balance, once: the key says what it was for.
charges = Table(
    "charges",
    metadata,
    number("account_id"),
    text("message_key"),
    text("kind"),
    number("amount_micros"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "message_key", "kind"),
)

request_log = Table(
    "request_log",
    metadata,
    number("account_id"),
    text("id"),
    text("request_id"),
    text("key_id"),
    text("method"),
    text("path"),
    number("status"),
    optional_text("code"),
    optional_text("detail"),
    number("duration_us"),
    text("remote"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    Index("ix_request_log_account_id_request_id", "account_id", "request_id"),
    # What is old is found without a look at everything else.
    Index("ix_request_log_created", "created_at"),
)
# The calls of a status, and those of a key by their status, newest first. Nearly all calls are sends and answered 200.
Index(
    "ix_request_log_status",
    request_log.c.account_id,
    request_log.c.status,
    request_log.c.id,
    where="status <> 200",
)
Index("ix_request_log_key", request_log.c.account_id, request_log.c.key_id, request_log.c.status, request_log.c.id)

# What was asked and answered, by the row of the log; only for an account that wants it, and for fewer days.
request_bodies = Table(
    "request_bodies",
    metadata,
    number("account_id"),
    text("id"),
    text("request"),
    text("answer"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
)
