"""Stamp cards of an account, and the stamps of its guests: each movement a row, and what they come to."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

loyalty_cards = Table(
    "loyalty_cards",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    # What brings a stamp: so many of a dish or of a category; a visit where neither is named.
    optional_text("item_id"),
    optional_text("category_id"),
    number("needed"),
    # JSON: the coupon that a full card becomes.
    text("offer"),
    # Stamps that nobody used go after so many months; 0 keeps them.
    number("expires_months", 0),
    flag("is_active"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("needed > 1", name="needed"),
)

# What a guest's stamps on a card come to, kept in the transaction of their movements.
loyalty_collected = Table(
    "loyalty_collected",
    metadata,
    number("account_id"),
    text("card_id"),
    text("contact_id"),
    number("balance", 0),
    number("given", 0),
    number("rewarded", 0),
    number("expired", 0),
    number("taken", 0),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "card_id", "contact_id"),
    CheckConstraint("balance >= 0", name="balance"),
    CheckConstraint("balance = given - rewarded - expired - taken", name="sums"),
)
Index("ix_loyalty_collected_contact", loyalty_collected.c.account_id, loyalty_collected.c.contact_id)

loyalty_stamps = Table(
    "loyalty_stamps",
    metadata,
    number("account_id"),
    text("id"),
    text("card_id"),
    text("contact_id"),
    text("kind"),
    # What it came from, once.
    text("cause"),
    # Positive where stamps came.
    number("stamps"),
    # So many were to be taken and were not there any more.
    number("short", 0),
    # Of stamps that came: how many are still there, and until when.
    number("unused", 0),
    time_ms("expires_at", nullable=True),
    optional_text("order_key"),
    text("order_id"),
    # What a full card became.
    optional_text("coupon_id"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "cause"),
    CheckConstraint("kind in ('earn', 'reverse', 'reward', 'give_back', 'expire')", name="kind"),
    CheckConstraint("short >= 0 and unused >= 0", name="counts"),
)
Index("ix_loyalty_stamps_contact", loyalty_stamps.c.account_id, loyalty_stamps.c.contact_id, loyalty_stamps.c.card_id)
Index("ix_loyalty_stamps_order", loyalty_stamps.c.account_id, loyalty_stamps.c.order_key)
Index(
    "ix_loyalty_stamps_expiry",
    loyalty_stamps.c.expires_at,
    where="unused > 0 and expires_at is not null",
)
