"""Gift cards of an account: what each is worth now, and every movement of its value."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, metadata, number, optional_text, text, time_ms

loyalty_gifts = Table(
    "loyalty_gifts",
    metadata,
    number("account_id"),
    text("id"),
    # As it is looked for: however it was typed.
    text("code"),
    # Where it was sold or given away.
    text("venue_id"),
    text("currency"),
    # What it was worth at first, and what became of that.
    number("value"),
    number("balance", 0),
    number("spent", 0),
    number("expired", 0),
    number("cancelled", 0),
    text("state"),
    # How it was paid for; `given` for one that nobody paid.
    text("paid_by"),
    text("reason"),
    # Whose it is, if anybody is known.
    optional_text("contact_id"),
    text("from_name"),
    text("greeting"),
    text("language"),
    time_ms("expires_at", nullable=True),
    time_ms("warned_at", nullable=True),
    time_ms("sent_at", nullable=True),
    text("by"),
    # The person or key that made it, who may see its code.
    text("made_by"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "code"),
    CheckConstraint("state in ('active', 'cancelled')", name="state"),
    CheckConstraint("paid_by in ('cash', 'card', 'online', 'given')", name="paid_by"),
    CheckConstraint("balance >= 0 and spent >= 0", name="balance"),
    CheckConstraint("balance = value - spent - expired - cancelled", name="sums"),
)
Index("ix_loyalty_gifts_contact", loyalty_gifts.c.account_id, loyalty_gifts.c.contact_id)
Index("ix_loyalty_gifts_time", loyalty_gifts.c.account_id, loyalty_gifts.c.created_at)
# Those that are worth something, and what became of the others: each is in one of these, newest first.
for _name, _which in {
    "left": "balance > 0",
    "spent": "balance = 0 and expired = 0 and state = 'active'",
    "expired": "balance = 0 and expired > 0 and state = 'active'",
    "cancelled": "state = 'cancelled'",
}.items():
    Index(
        f"ix_loyalty_gifts_{_name}",
        loyalty_gifts.c.account_id,
        loyalty_gifts.c.created_at,
        loyalty_gifts.c.id,
        where=_which,
    )
Index(
    "ix_loyalty_gifts_expiry",
    loyalty_gifts.c.expires_at,
    where="balance > 0 and expires_at is not null",
)

# Rows are added and never changed.
loyalty_gift_moves = Table(
    "loyalty_gift_moves",
    metadata,
    number("account_id"),
    text("id"),
    text("gift_id"),
    text("kind"),
    # What it came from, once.
    text("cause"),
    # Positive where value came.
    number("amount"),
    number("balance"),
    text("currency"),
    # Money that came for it, or went back: beside what guests paid for their meals.
    number("money", 0),
    text("method"),
    text("venue_id"),
    # The payment of a bill that it was spent on.
    optional_text("payment_id"),
    optional_text("tab_id"),
    text("reason"),
    text("by"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "cause"),
    CheckConstraint("kind in ('issue', 'redeem', 'give_back', 'expire', 'cancel')", name="kind"),
    CheckConstraint("balance >= 0", name="balance"),
)
Index(
    "ix_loyalty_gift_moves_gift",
    loyalty_gift_moves.c.account_id,
    loyalty_gift_moves.c.gift_id,
    loyalty_gift_moves.c.created_at,
)
Index("ix_loyalty_gift_moves_payment", loyalty_gift_moves.c.account_id, loyalty_gift_moves.c.payment_id)
Index(
    "ix_loyalty_gift_moves_time",
    loyalty_gift_moves.c.account_id,
    loyalty_gift_moves.c.venue_id,
    loyalty_gift_moves.c.created_at,
)
