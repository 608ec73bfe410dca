"""Bringing things to people: zones around venues, and the addresses that contacts have."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

delivery_zones = Table(
    "delivery_zones",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    # JSON: a circle around the venue, or the corners of a polygon, in millionths of a degree.
    text("shape"),
    # Whole minor units of the venue's currency.
    number("fee", 0),
    number("minimum", 0),
    # Whoever orders for so much pays no fee.
    number("free_from", nullable=True),
    number("minutes"),
    # Where zones overlap, the first one holds.
    number("position", 0),
    flag("is_active"),
    # JSON: weekly hours; nothing where it holds whenever the venue delivers.
    optional_text("hours"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_delivery_zones_venue", delivery_zones.c.account_id, delivery_zones.c.venue_id, delivery_zones.c.position)

contact_addresses = Table(
    "contact_addresses",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    # Home, work, or whatever its owner calls it; may be empty.
    text("label"),
    text("address"),
    # Millionths of a degree.
    number("latitude", nullable=True),
    number("longitude", nullable=True),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("used_at"),
    # When its owner was asked what to call it; once in its life.
    time_ms("asked_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
)
Index(
    "ix_contact_addresses_contact",
    contact_addresses.c.account_id,
    contact_addresses.c.contact_id,
    contact_addresses.c.used_at,
)
# What nobody has had anything brought to for long is forgotten.
Index("ix_contact_addresses_used", contact_addresses.c.used_at)
