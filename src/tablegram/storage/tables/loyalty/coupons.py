"""Coupons, and what was redeemed on orders."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

loyalty_coupons = Table(
    "loyalty_coupons",
    metadata,
    number("account_id"),
    text("id"),
    # As it is looked for: folded.
    text("code"),
    text("shown_code"),
    text("name"),
    text("kind"),
    # percent (in hundredths), amount (minor units of the currency) or item (one of a dish or a category).
    text("gives"),
    number("percent", 0),
    number("amount", 0),
    text("currency"),
    optional_text("item_id"),
    optional_text("category_id"),
    number("minimum", 0),
    # How often one guest may use it, and how often it may be used in all; nothing where that is not limited.
    number("per_person", nullable=True),
    number("in_all", nullable=True),
    optional_text("venue_id"),
    # JSON; empty for every type of order.
    text("order_types"),
    time_ms("starts_at", nullable=True),
    time_ms("ends_at", nullable=True),
    # Of one guest alone.
    optional_text("contact_id"),
    # What they were given it for, once: the automation, the guest and the occasion.
    optional_text("cause"),
    flag("is_active"),
    number("used", 0),
    text("by"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "code"),
    CheckConstraint("gives in ('percent', 'amount', 'item')", name="gives"),
    CheckConstraint("kind in ('welcome', 'birthday', 'win_back', 'code', 'stamps')", name="kind"),
    CheckConstraint("used >= 0 and (in_all is null or used <= in_all)", name="used"),
)
Index("ix_loyalty_coupons_contact", loyalty_coupons.c.account_id, loyalty_coupons.c.contact_id)
Index("uq_loyalty_coupons_cause", loyalty_coupons.c.account_id, loyalty_coupons.c.cause, unique=True)
Index("ix_loyalty_coupons_time", loyalty_coupons.c.account_id, loyalty_coupons.c.created_at)

# What was redeemed, on which order. `turn` counts a guest's uses of a coupon, each once; it is free again when the use is
# given back.
loyalty_redemptions = Table(
    "loyalty_redemptions",
    metadata,
    number("account_id"),
    text("id"),
    text("kind"),
    text("contact_id"),
    optional_text("coupon_id"),
    optional_text("order_key"),
    text("order_id"),
    optional_text("venue_id"),
    # chosen: for the next order, until a time; held: on an order that runs; final; given_back.
    text("state"),
    number("turn", nullable=True),
    number("points", 0),
    number("amount", 0),
    text("currency"),
    text("name"),
    text("by"),
    time_ms("until", nullable=True),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "coupon_id", "contact_id", "turn"),
    CheckConstraint("kind in ('points', 'coupon')", name="kind"),
    CheckConstraint("state in ('chosen', 'held', 'final', 'given_back')", name="state"),
)
Index("ix_loyalty_redemptions_order", loyalty_redemptions.c.account_id, loyalty_redemptions.c.order_key)
Index(
    "ix_loyalty_redemptions_contact",
    loyalty_redemptions.c.account_id,
    loyalty_redemptions.c.contact_id,
    loyalty_redemptions.c.created_at,
)
Index("ix_loyalty_redemptions_time", loyalty_redemptions.c.account_id, loyalty_redemptions.c.created_at)
