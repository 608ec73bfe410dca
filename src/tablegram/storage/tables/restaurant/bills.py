"""What is paid at a table: payments of bills, and discounts.

Amounts are whole minor units (kuruş, cents) of the venue's currency. Rows of money are added and never changed.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import metadata, number, optional_text, text, time_ms

# Money taken against a table's bill, or given back. Which orders it was for, `order_payments` tells.
tab_payments = Table(
    "tab_payments",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("tab_id"),
    text("kind"),
    # The payment that a refund gives back.
    optional_text("of"),
    text("method"),
    number("amount"),
    number("tip", 0),
    # Cash that the guest handed over; the change is what is above amount and tip.
    number("given", nullable=True),
    text("currency"),
    # JSON: the dishes that it was for, where it was for dishes.
    text("lines"),
    # Among so many people what was open was shared at that moment.
    number("parts", nullable=True),
    text("by"),
    text("reason"),
    time_ms("created_at"),
    # Of money that came by a payment link: the link, or the refund of one. Each is told of once.
    optional_text("reference"),
    PrimaryKeyConstraint("account_id", "id"),
    # What was taken is given back once.
    UniqueConstraint("account_id", "of"),
    CheckConstraint("kind in ('payment', 'refund')", name="kind"),
    CheckConstraint("method in ('cash', 'card', 'online', 'gift')", name="method"),
    CheckConstraint("amount >= 0 and tip >= 0", name="amount"),
)
Index("ix_tab_payments_tab", tab_payments.c.account_id, tab_payments.c.tab_id, tab_payments.c.created_at)
Index("ux_tab_payments_reference", tab_payments.c.account_id, tab_payments.c.reference, unique=True)
Index("ix_tab_payments_time", tab_payments.c.account_id, tab_payments.c.venue_id, tab_payments.c.created_at)

# What somebody let off a bill, and why. How much of it stands on which order, the orders' own discounts tell.
tab_discounts = Table(
    "tab_discounts",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("tab_id"),
    # For one dish: its order and its place in it.
    optional_text("order_key"),
    number("line", nullable=True),
    # Hundredths of a percent, where it was said so.
    number("percent", nullable=True),
    number("amount"),
    text("reason"),
    text("by"),
    time_ms("created_at"),
    time_ms("removed_at", nullable=True),
    text("removed_by"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("amount > 0", name="amount"),
)
Index("ix_tab_discounts_tab", tab_discounts.c.account_id, tab_discounts.c.tab_id)
Index("ix_tab_discounts_time", tab_discounts.c.account_id, tab_discounts.c.venue_id, tab_discounts.c.created_at)
