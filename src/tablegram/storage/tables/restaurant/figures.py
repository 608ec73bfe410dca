"""What each customer has ordered, counted: one row for an order that counts, and the sums of them for each customer.

They change in the transaction that changes the order, so that a question about all customers is one statement on few,
narrow rows.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import flag, metadata, number, text, time_ms

customer_orders = Table(
    "customer_orders",
    metadata,
    number("account_id"),
    # The order's own id.
    text("order_key"),
    text("contact_id"),
    # When it was placed.
    time_ms("at"),
    text("venue_id"),
    text("order_type"),
    text("currency"),
    # Minor units: its total, without what went back.
    number("amount"),
    # JSON: how many of each dish, and of each category as the dish stood in the menu then.
    text("dishes"),
    text("categories"),
    PrimaryKeyConstraint("account_id", "order_key"),
)
Index("ix_customer_orders_contact", customer_orders.c.account_id, customer_orders.c.contact_id, customer_orders.c.at)
# Sums over a stretch of time are read from the index alone.
Index(
    "ix_customer_orders_time",
    customer_orders.c.account_id,
    customer_orders.c.at,
    customer_orders.c.contact_id,
    customer_orders.c.currency,
    customer_orders.c.amount,
)

# Whoever changes something of a customer's figures holds this row.
customer_figures = Table(
    "customer_figures",
    metadata,
    number("account_id"),
    text("contact_id"),
    number("orders"),
    time_ms("first_at"),
    time_ms("last_at"),
    PrimaryKeyConstraint("account_id", "contact_id"),
)

# Who has not ordered since a day.
Index(
    "ix_customer_figures_last", customer_figures.c.account_id, customer_figures.c.last_at, customer_figures.c.contact_id
)

customer_tallies = Table(
    "customer_tallies",
    metadata,
    number("account_id"),
    text("contact_id"),
    # item, category, venue, order_type: how many portions, or orders. currency: how much, in minor units.
    text("kind"),
    text("key"),
    number("orders"),
    number("quantity"),
    # Nothing of its kind was ordered more.
    flag("is_top"),
    PrimaryKeyConstraint("account_id", "contact_id", "kind", "key"),
    CheckConstraint("kind in ('item', 'category', 'venue', 'order_type', 'currency')", name="kind"),
)
Index(
    "ix_customer_tallies_key",
    customer_tallies.c.account_id,
    customer_tallies.c.kind,
    customer_tallies.c.key,
    customer_tallies.c.is_top,
    customer_tallies.c.quantity,
    customer_tallies.c.contact_id,
)
