"""What guests put together and say: tabs, carts, open questions, and calls from a table."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

# The guests of one table at one time, on however many phones.
tabs = Table(
    "tabs",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("table_id"),
    text("state"),
    time_ms("opened_at"),
    time_ms("last_at"),
    time_ms("closed_at", nullable=True),
    # Who closed it; and why, where something was left unpaid.
    optional_text("closed_by"),
    optional_text("close_reason"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('open', 'closed')", name="state"),
)
Index("ix_tabs_venue", tabs.c.account_id, tabs.c.venue_id, tabs.c.opened_at)
Index("ix_tabs_opened", tabs.c.account_id, tabs.c.opened_at)
Index("ix_tabs_table", tabs.c.account_id, tabs.c.table_id, tabs.c.opened_at)
# Of these nobody has told yet that they ended.
Index("ix_tabs_untold", tabs.c.last_at, where="closed_by is null")
# Two phones that sit down at once join one tab.
Index(
    "uq_tabs_open",
    tabs.c.account_id,
    tabs.c.table_id,
    unique=True,
    where="state = 'open'",
)

carts = Table(
    "carts",
    metadata,
    number("account_id"),
    text("code"),
    text("venue_id"),
    optional_text("table_id"),
    optional_text("tab_id"),
    # The secret of the browser that may change it; the code alone may only send it.
    text("holder"),
    # The guest proved with the code on the table that they sit there.
    flag("is_signed"),
    text("order_type"),
    text("lines"),
    text("notes"),
    # JSON: where to, as far as the guest has said it on the page.
    optional_text("destination"),
    text("language"),
    text("state"),
    number("revision", 1),
    # Known once it was sent, when the guest left it on the page, or when it was read from their text.
    text("phone"),
    text("name"),
    # How often its text came again after it was ordered.
    number("repeats", 0),
    # Which version of the account's sentence the guest ticked to get offers, and when; empty where they did not.
    text("offers_text", server_default=sql("''")),
    time_ms("offers_at", nullable=True),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "code"),
    CheckConstraint("state in ('open', 'ordered', 'expired')", name="state"),
)
Index("ix_carts_tab", carts.c.account_id, carts.c.tab_id)
# A browser that sends its first cart twice, because no answer came, has one cart.
Index("uq_carts_holder", carts.c.account_id, carts.c.holder, unique=True)
# What was read from a guest's text waits until they say where they sit.
Index(
    "ix_carts_asked",
    carts.c.account_id,
    carts.c.phone,
    where="state = 'open' and phone <> ''",
)
Index(
    "ix_carts_open",
    carts.c.expires_at,
    where="state = 'open'",
)

# A text of a guest's that left something open, and what they were asked about it. One for each guest of a venue.
dialogues = Table(
    "dialogues",
    metadata,
    number("account_id"),
    text("venue_id"),
    text("phone"),
    text("contact_id"),
    # An answered one stays for a while, so that an answer that comes twice is known for what it is.
    text("state"),
    # The earlier text, with the key of its message: what it comes to is one order.
    text("text"),
    text("message_key"),
    text("language"),
    # JSON: the questions that are open, as they were listed, and what was understood so far.
    text("asked"),
    text("progress"),
    time_ms("asked_at"),
    PrimaryKeyConstraint("account_id", "venue_id", "phone"),
    CheckConstraint("state in ('open', 'answered')", name="state"),
)

waiter_calls = Table(
    "waiter_calls",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("table_id"),
    text("table_label"),
    text("kind"),
    text("waiter"),
    text("note"),
    time_ms("created_at"),
    time_ms("answered_at", nullable=True),
    text("answered_by"),
    # How the guest wants to pay, and how much was open when they called; of a call for the bill.
    optional_text("method"),
    number("amount", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("kind in ('waiter', 'bill')", name="kind"),
)
# A guest who taps again while nobody came yet does not ring again.
Index(
    "uq_waiter_calls_open",
    waiter_calls.c.account_id,
    waiter_calls.c.table_id,
    waiter_calls.c.kind,
    unique=True,
    where="answered_at is null",
)
