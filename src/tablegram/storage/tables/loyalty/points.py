"""The programme of an account, and the points of its guests: each movement a row, and what they come to."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

loyalty_programmes = Table(
    "loyalty_programmes",
    metadata,
    number("account_id"),
    flag("is_on"),
    # JSON: by currency, how much brings a point and what a point is worth, in minor units.
    text("rates"),
    # Points that nobody used go after so many months; 0 keeps them.
    number("expires_months", 0),
    # So many days before that their owner is told, who agreed to be written to; 0 tells nobody.
    number("warn_days", 0),
    time_ms("updated_at"),
    # JSON: the network's templates for those who have not written for a day, one for each language, and what fills their places; null: they are not told.
    optional_text("warn_template"),
    PrimaryKeyConstraint("account_id"),
)

# What the movements of a guest come to, kept in their transaction. Points that came were used, went by, were taken back, or
# are still there.
loyalty_members = Table(
    "loyalty_members",
    metadata,
    number("account_id"),
    text("contact_id"),
    number("balance", 0),
    number("given", 0),
    number("redeemed", 0),
    number("expired", 0),
    number("taken", 0),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "contact_id"),
    CheckConstraint("balance >= 0", name="balance"),
    CheckConstraint("balance = given - redeemed - expired - taken", name="sums"),
)
Index("ix_loyalty_members_balance", loyalty_members.c.account_id, loyalty_members.c.balance)

loyalty_movements = Table(
    "loyalty_movements",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    text("kind"),
    # What it came from, once.
    text("cause"),
    # Positive where points came.
    number("points"),
    # So many were to be taken and were not there any more.
    number("short", 0),
    # What was there after it.
    number("balance"),
    # Of points that came: how many nobody used yet, and until when they hold.
    number("unused", 0),
    time_ms("expires_at", nullable=True),
    # When their owner was told that they go by.
    time_ms("warned_at", nullable=True),
    optional_text("order_key"),
    text("order_id"),
    # So much brought a point when it was earned, in minor units.
    number("rate", 0),
    text("reason"),
    text("by"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "cause"),
    CheckConstraint("kind in ('earn', 'reverse', 'redeem', 'give_back', 'expire', 'adjust')", name="kind"),
    CheckConstraint("short >= 0 and unused >= 0 and balance >= 0", name="counts"),
)
Index(
    "ix_loyalty_movements_contact",
    loyalty_movements.c.account_id,
    loyalty_movements.c.contact_id,
    loyalty_movements.c.created_at,
)
Index("ix_loyalty_movements_order", loyalty_movements.c.account_id, loyalty_movements.c.order_key)
Index("ix_loyalty_movements_time", loyalty_movements.c.account_id, loyalty_movements.c.created_at)
Index(
    "ix_loyalty_movements_expiry",
    loyalty_movements.c.expires_at,
    where="unused > 0 and expires_at is not null",
)

# That somebody was told of points that expire, or why they were not: `reason` is empty where they were. Of gift cards, why
# their owner did not hear of them.
loyalty_warnings = Table(
    "loyalty_warnings",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    number("points"),
    # When the first of them go.
    time_ms("expires_at"),
    optional_text("message_key"),
    text("reason"),
    time_ms("created_at"),
    # points_expire, gift_expires, or gift: one that was to be handed over.
    text("about", server_default=sql("'points_expire'")),
    text("gift_id", server_default=sql("''")),
    PrimaryKeyConstraint("account_id", "id"),
)
Index(
    "ix_loyalty_warnings_contact",
    loyalty_warnings.c.account_id,
    loyalty_warnings.c.contact_id,
    loyalty_warnings.c.created_at,
)
