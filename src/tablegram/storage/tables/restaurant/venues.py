"""Venues with their tables, and who serves there."""

from __future__ import annotations

from sqlalchemy import PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

venues = Table(
    "venues",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    flag("is_default"),
    # The line that guests write to; without one the venue only shows its menu.
    number("instance_id", nullable=True),
    text("currency"),
    text("time_zone"),
    # How numbers and dates are written, and the language the menu is kept in.
    text("locale"),
    # JSON lists: languages of the menu (the first is the menu's own), order types on offer, stations.
    text("languages"),
    text("order_types"),
    text("stations"),
    # JSON: weekly hours, exceptions, pauses, minutes of the last order.
    text("hours"),
    # Hundredths of a percent.
    number("service_charge", 0),
    # Whether an order goes to the kitchen without anybody's nod.
    flag("accepts_by_itself"),
    flag("refuses_unsigned"),
    # Signs the codes on the tables. Sealed; of its own, so that printed codes outlive the installation's key.
    text("signing_key"),
    # JSON: address, greeting lines, minutes of preparation and whatever else has no column of its own.
    text("details"),
    # Grows with every change of the menu, so that open pages know that theirs is old.
    number("menu_version", 1),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("deleted_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
)
# A guest's link names the venue alone.
Index("ix_venues_id", venues.c.id)
# An account has one default venue at most.
Index(
    "uq_venues_default",
    venues.c.account_id,
    unique=True,
    where="is_default = 1 and deleted_at is null",
)

waiters = Table(
    "waiters",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    # Where calls from their tables are sent to; empty when they have no phone on duty.
    text("phone"),
    # Who signs in as this waiter; what they take is theirs.
    optional_text("member_id"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_waiters_venue", waiters.c.account_id, waiters.c.venue_id)
Index("ux_waiters_member", waiters.c.account_id, waiters.c.venue_id, waiters.c.member_id, unique=True)

# A part of the room with the waiter who serves it.
sections = Table(
    "sections",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    optional_text("waiter_id"),
    number("position", 0),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_sections_venue", sections.c.account_id, sections.c.venue_id)

restaurant_tables = Table(
    "restaurant_tables",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # A number or a name, as it is written on the table; `label_key` is the same folded, and unique in its venue.
    text("label"),
    text("label_key"),
    optional_text("section_id"),
    # Serves this table whoever serves the section.
    optional_text("waiter_id"),
    number("seats", nullable=True),
    number("position", 0),
    # Codes signed for an earlier generation no longer open the menu.
    number("generation", 1),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "label_key"),
)
