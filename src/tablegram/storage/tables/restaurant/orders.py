"""Orders, what happened to each, and the money for them.

Totals are whole minor units (kuruş, cents) of the venue's currency.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, metadata, number, optional_text, text, time_ms

orders = Table(
    "orders",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # What people call it: ORD-YYYYMMDD-NNNN.
    text("order_id"),
    # One cart, one order, however often its text arrives. Empty for what was read from a text or typed by a waiter.
    optional_text("cart_code"),
    # The message that it came with, for the same reason.
    optional_text("message_key"),
    text("order_type"),
    text("state"),
    text("payment_method"),
    text("payment_state"),
    optional_text("table_id"),
    text("table_label"),
    optional_text("tab_id"),
    text("waiter"),
    optional_text("contact_id"),
    text("customer_phone"),
    text("customer_name"),
    # JSON: the lines as they were priced, charges and discounts.
    text("lines"),
    text("charges"),
    text("discounts"),
    number("total"),
    text("currency"),
    text("notes"),
    # Of a delivery: where to, as the guest wrote it, and the way to the place that they shared.
    text("address"),
    text("route_url"),
    # JSON: the point that it goes to, its zone, and what was agreed for it.
    optional_text("destination"),
    text("language"),
    time_ms("promised_at", nullable=True),
    number("revision", 1),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("closed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "order_id"),
    UniqueConstraint("account_id", "cart_code"),
    UniqueConstraint("account_id", "message_key"),
    CheckConstraint(
        "state in ('awaiting_confirmation', 'awaiting_payment', 'sent_to_kitchen', 'preparing', 'ready', 'served', "
        "'picked_up', 'out_for_delivery', 'delivered', 'completed', 'cancelled', 'rejected', 'expired')",
        name="state",
    ),
    CheckConstraint("order_type in ('dine_in', 'takeaway', 'delivery')", name="order_type"),
)
Index("ix_orders_recent", orders.c.account_id, orders.c.created_at, orders.c.id)
Index("ix_orders_contact", orders.c.account_id, orders.c.contact_id)
# Who is to be erased may have ordered without being a contact yet.
Index(
    "ix_orders_phone",
    orders.c.account_id,
    orders.c.customer_phone,
    where="customer_phone <> ''",
)
# The link to a guest's order names the order alone.
Index("ix_orders_id", orders.c.id)
# What nobody has accepted yet ends by the clock.
Index(
    "ix_orders_unanswered",
    orders.c.created_at,
    where="state = 'awaiting_confirmation'",
)
# The same for what nobody has paid in the time of its link.
Index(
    "ix_orders_unpaid",
    orders.c.updated_at,
    where="state = 'awaiting_payment'",
)
Index(
    "ix_orders_tab",
    orders.c.account_id,
    orders.c.tab_id,
    where="tab_id is not null",
)
# What the board shows; the finished ones, by far the most, are not in it.
Index(
    "ix_orders_running",
    orders.c.account_id,
    orders.c.venue_id,
    orders.c.created_at,
    where="closed_at is null",
)
# What lists are narrowed to, newest first.
Index("ix_orders_venue", orders.c.account_id, orders.c.venue_id, orders.c.id)
Index("ix_orders_type", orders.c.account_id, orders.c.order_type, orders.c.id)
Index("ix_orders_state", orders.c.account_id, orders.c.state, orders.c.id)

order_events = Table(
    "order_events",
    metadata,
    number("account_id"),
    # The order's own id, and the count of its events.
    text("order_key"),
    number("number"),
    text("event"),
    text("state"),
    text("payment_state"),
    time_ms("at"),
    # A person, a key, the guest, or the clock.
    text("by"),
    text("reason"),
    # JSON: what the event changed, as it was before and as it is after. Empty for how the order began.
    optional_text("step"),
    PrimaryKeyConstraint("account_id", "order_key", "number"),
)

# Every movement of money for an order; its payment state is summed up from these.
order_payments = Table(
    "order_payments",
    metadata,
    number("account_id"),
    text("id"),
    text("order_key"),
    # A payment, or a refund of one. Amounts are positive.
    text("kind"),
    text("method"),
    number("amount"),
    text("currency"),
    text("state"),
    # A person, a key, or who told of it.
    text("by"),
    # What somebody outside calls it: the same payment is told of once.
    optional_text("reference"),
    time_ms("created_at"),
    time_ms("settled_at", nullable=True),
    # The payment of a table's bill that this is a part of.
    optional_text("tab_payment_id"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "reference"),
    CheckConstraint("amount >= 0", name="amount"),
    CheckConstraint("kind in ('payment', 'refund')", name="kind"),
    CheckConstraint("state in ('asked', 'succeeded', 'failed', 'dropped')", name="state"),
)
Index("ix_order_payments_order", order_payments.c.account_id, order_payments.c.order_key, order_payments.c.created_at)

Index(
    "ix_order_payments_tab",
    order_payments.c.account_id,
    order_payments.c.tab_payment_id,
    where="tab_payment_id is not null",
)
# What came in over a stretch of time.
Index("ix_order_payments_time", order_payments.c.account_id, order_payments.c.settled_at)

order_sequences = Table(
    "order_sequences",
    metadata,
    number("account_id"),
    # A calendar day in the venue's time zone: YYYYMMDD.
    text("day"),
    # The number that the day's last order got.
    number("last"),
    PrimaryKeyConstraint("account_id", "day"),
)
