"""What guests write to a venue: orders that were read back to them, wishes about orders, and how often they were answered."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

# What was read from a guest's words, and read back to them: an order once they say yes.
order_drafts = Table(
    "order_drafts",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("phone"),
    text("contact_id"),
    # Open until it is answered; a waiting one is shown when the one before it is settled.
    text("state"),
    # The message that it was read from: what it comes to is one order.
    text("message_key"),
    text("language"),
    text("name"),
    # JSON: the lines, without prices.
    text("lines"),
    # Empty while it is not known where it goes.
    text("order_type"),
    optional_text("table_id"),
    text("table_label"),
    text("address"),
    text("route_url"),
    # JSON: the point of that, and its zone.
    optional_text("destination"),
    text("notes"),
    # JSON: words that were not understood.
    text("missed"),
    # Nothing in it was in doubt.
    flag("is_sure"),
    # As it was read back; at another price it is read back again.
    number("total", 0),
    number("revision", 1),
    # What it has become.
    text("order_id"),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('open', 'waiting', 'confirmed', 'dropped', 'expired', 'replaced')", name="state"),
)
# A yes stands for one draft.
Index(
    "uq_order_drafts_open",
    order_drafts.c.account_id,
    order_drafts.c.venue_id,
    order_drafts.c.phone,
    unique=True,
    where="state = 'open'",
)
Index("ix_order_drafts_guest", order_drafts.c.account_id, order_drafts.c.venue_id, order_drafts.c.phone)
Index(
    "ix_order_drafts_due",
    order_drafts.c.expires_at,
    where="state in ('open', 'waiting')",
)

# A guest wants an order changed or cancelled that the kitchen has begun: staff say yes or no.
order_requests = Table(
    "order_requests",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("order_id"),
    text("kind"),
    # As the guest wrote it.
    text("words"),
    # JSON: what the order would be; empty for who cancels it.
    text("lines"),
    text("state"),
    time_ms("created_at"),
    time_ms("answered_at", nullable=True),
    text("answered_by"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("kind in ('cancel', 'change')", name="kind"),
    CheckConstraint("state in ('open', 'accepted', 'refused', 'replaced')", name="state"),
)
Index(
    "uq_order_requests_open",
    order_requests.c.account_id,
    order_requests.c.order_id,
    unique=True,
    where="state = 'open'",
)
Index(
    "ix_order_requests_board",
    order_requests.c.account_id,
    order_requests.c.venue_id,
    where="state = 'open'",
)

# How often somebody was told that people will answer: two machines that answer each other come to an end.
last_words = Table(
    "last_words",
    metadata,
    number("account_id"),
    text("venue_id"),
    text("phone"),
    time_ms("since"),
    number("count", 0),
    PrimaryKeyConstraint("account_id", "venue_id", "phone"),
)
