"""Shops and forms that are connected, what they delivered, and their orders."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, LargeBinary, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

store_sources = Table(
    "store_sources",
    metadata,
    number("account_id"),
    text("id"),
    # shopify, woocommerce, generic, form, ...
    text("platform"),
    text("name"),
    # Its deliveries come to an address with a key: found by the hash, shown again from what is sealed.
    text("hook_hash"),
    text("hook_sealed"),
    # Empty while none is set.
    text("secret_sealed"),
    # Two capital letters, and three; empty where nobody said.
    text("country"),
    text("currency"),
    # JSON: our name of a fact, and where it lies in what is delivered.
    text("mapping"),
    # What its customers are written with; nothing for the account's usual line.
    number("instance_id", nullable=True),
    # The venue that its orders are for; nothing: the one that is called as it is called there.
    optional_text("venue_id"),
    flag("is_active"),
    time_ms("heard_at", nullable=True),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("removed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("uq_store_sources_hook", store_sources.c.hook_hash, unique=True)

store_deliveries = Table(
    "store_deliveries",
    metadata,
    number("account_id"),
    text("id"),
    text("source_id"),
    # A digest of what the platform calls this delivery.
    text("name"),
    text("topic"),
    # JSON: the headers that say what it is, never those that prove it.
    text("headers"),
    Column("body", LargeBinary, nullable=False),
    number("size"),
    # done: it meant something; ignored: it is of a kind that is left alone; unreadable: see `reason`.
    text("state"),
    text("reason"),
    text("detail"),
    # JSON: what was read from it, who it is about, and what came of it.
    text("events"),
    # Of the first event, so that people find it.
    text("reference"),
    text("number"),
    # What somebody must see to: export_asked, erasure_asked, shop_erasure_asked.
    text("attention"),
    text("settled_by"),
    time_ms("settled_at", nullable=True),
    flag("is_test"),
    number("replays", 0),
    time_ms("received_at"),
    time_ms("worked_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "source_id", "name"),
    CheckConstraint("state in ('done', 'ignored', 'unreadable')", name="state"),
)
Index("ix_store_deliveries_source", store_deliveries.c.account_id, store_deliveries.c.source_id, store_deliveries.c.id)
Index(
    "ix_store_deliveries_attention",
    store_deliveries.c.account_id,
    store_deliveries.c.id,
    where="attention <> '' and settled_at is null",
)
Index("ix_store_deliveries_state", store_deliveries.c.account_id, store_deliveries.c.state, store_deliveries.c.id)
Index("ix_store_deliveries_old", store_deliveries.c.received_at)

store_orders = Table(
    "store_orders",
    metadata,
    number("account_id"),
    text("id"),
    text("source_id"),
    # The platform's own id of it.
    text("reference"),
    # What people call it.
    text("number"),
    # Ties it to the checkout that it came of.
    text("checkout"),
    text("name"),
    text("email"),
    # With its country code; empty where none could be read.
    text("phone"),
    optional_text("contact_id"),
    text("language"),
    # Minor units.
    number("amount", nullable=True),
    text("currency"),
    # The kind of the last event, and the platform's own word for the state.
    text("kind"),
    text("status"),
    text("url"),
    # JSON: goods, and how the parcel is followed.
    text("goods"),
    text("tracking"),
    # When the last event happened by the platform's clock: nothing goes back behind it.
    time_ms("at"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "source_id", "reference"),
)
Index("ix_store_orders_source", store_orders.c.account_id, store_orders.c.source_id, store_orders.c.id)
Index("ix_store_orders_contact", store_orders.c.account_id, store_orders.c.contact_id)
Index("ix_store_orders_phone", store_orders.c.account_id, store_orders.c.phone)
