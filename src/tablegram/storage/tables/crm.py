"""The pool of everybody who writes: contacts, the names networks know them by, and words to find them with."""

from __future__ import annotations

from sqlalchemy import Column, Index, PrimaryKeyConstraint, Table, Text

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

contacts = Table(
    "contacts",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    # A name given by hand is not overwritten by the network's.
    flag("name_is_own"),
    text("language"),
    text("tags"),
    text("notes"),
    # unknown, granted or denied, with its time and where it came from.
    text("consent"),
    time_ms("consent_at", nullable=True),
    text("consent_source"),
    number("last_instance_id", nullable=True),
    time_ms("first_seen_at"),
    time_ms("last_seen_at"),
    # Until when a free-form message may be sent to him.
    time_ms("window_until", nullable=True),
    # Set when it was merged into another one, which then answers for it.
    optional_text("merged_into"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_contacts_seen", contacts.c.account_id, contacts.c.last_seen_at, contacts.c.id)

contact_aliases = Table(
    "contact_aliases",
    metadata,
    number("account_id"),
    text("kind"),
    text("value"),
    text("contact_id"),
    PrimaryKeyConstraint("account_id", "kind", "value"),
)
Index("ix_contact_aliases_contact", contact_aliases.c.account_id, contact_aliases.c.contact_id)

# Folded words of names, numbers, tags, notes and messages; found by their beginning, so they are kept in the order of
# their bytes on every database.
contact_terms = Table(
    "contact_terms",
    metadata,
    number("account_id"),
    Column("term", Text().with_variant(Text(collation="C"), "postgresql"), nullable=False),
    text("contact_id"),
    # profile: replaced when the contact changes. said: from messages, only ever added.
    text("source"),
    PrimaryKeyConstraint("account_id", "term", "contact_id", "source"),
    sqlite_with_rowid=False,
)
Index(
    "ix_contact_terms_contact",
    contact_terms.c.account_id,
    contact_terms.c.contact_id,
    contact_terms.c.term,
)

# What remains of an erased contact: that it was done, when, and how much went. Nothing about the person.
erasures = Table(
    "erasures",
    metadata,
    number("account_id"),
    text("contact_id"),
    text("counts"),
    time_ms("erased_at"),
    PrimaryKeyConstraint("account_id", "contact_id"),
)

auto_replies = Table(
    "auto_replies",
    metadata,
    number("account_id"),
    text("id"),
    number("instance_id"),
    # greeting, closed or keyword
    text("kind"),
    flag("enabled"),
    text("message"),
    # JSON: keywords with how they match, or opening hours with their time zone.
    text("rule"),
    number("cooldown_s"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
)

auto_reply_uses = Table(
    "auto_reply_uses",
    metadata,
    number("account_id"),
    text("contact_id"),
    text("reply_id"),
    time_ms("last_at"),
    PrimaryKeyConstraint("account_id", "contact_id", "reply_id"),
)
