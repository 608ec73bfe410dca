"""The pool of everybody who writes: contacts, the names networks know them by, and words to find them with."""

from __future__ import annotations

from typing import Any

from sqlalchemy import CheckConstraint, Column, LargeBinary, PrimaryKeyConstraint, Table, Text, UniqueConstraint
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

contacts = Table(
    "contacts",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    # A name given by hand is not overwritten by the network's.
    flag("name_is_own"),
    # What they call themselves on the network. It may be given to somebody else one day, so it finds them and is no alias.
    text("username", server_default=sql("''")),
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
    # Until when a free-form message may be sent to them.
    time_ms("window_until", nullable=True),
    # Set when it was merged into another one, which then answers for it.
    optional_text("merged_into"),
    # Month and day, MM-DD; empty where nobody told it.
    text("birthday", server_default=sql("''")),
    # What `conversations` says of them. The store itself keeps it so (migration 0062), and nothing else writes here: the
    # lists of the inbox have indexes of it. Nothing, where nobody did anything yet, is 0 and nobody.
    number("inbox_seen", 0),
    number("inbox_closed", 0),
    optional_text("inbox_owner"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_contacts_seen", contacts.c.account_id, contacts.c.last_seen_at, contacts.c.id)
# Those who have written: the inbox walks along it, past any number of imported contacts who never did.
Index(
    "ix_contacts_wrote",
    contacts.c.account_id,
    contacts.c.last_seen_at,
    contacts.c.id,
    where="window_until is not null",
)


def _inbox(name: str, condition: str, *first: Column[Any]) -> None:
    """Of those who have written and were not merged into somebody else: whose conversations are in one of its lists."""
    where = f"window_until is not null and merged_into is null and {condition}"
    Index(f"ix_contacts_{name}", contacts.c.account_id, *first, contacts.c.last_seen_at, contacts.c.id, where=where)


_inbox("unread", "last_seen_at > inbox_seen")
_inbox("open", "last_seen_at > inbox_closed")
_inbox("closed", "last_seen_at <= inbox_closed")
# By who looks after them.
_inbox("owned", "last_seen_at > inbox_closed", contacts.c.inbox_owner)
_inbox("done", "last_seen_at <= inbox_closed", contacts.c.inbox_owner)

# Whose birthday a day is.
Index(
    "ix_contacts_birthday",
    contacts.c.account_id,
    contacts.c.birthday,
    contacts.c.id,
    where="birthday <> ''",
)

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
# their bytes on every database; a file holds nothing but the key, as its migration says.
contact_terms = Table(
    "contact_terms",
    metadata,
    number("account_id"),
    Column("term", Text().with_variant(Text(collation="C"), "postgresql"), nullable=False),
    text("contact_id"),
    # profile: replaced when the contact changes. said: from messages, and forgotten with the last of them.
    text("source"),
    # When it was last said, to a day; nothing for a profile's words.
    time_ms("said_at", nullable=True),
    PrimaryKeyConstraint("account_id", "term", "contact_id", "source"),
)
Index(
    "ix_contact_terms_contact",
    contact_terms.c.account_id,
    contact_terms.c.contact_id,
    contact_terms.c.term,
)
Index(
    "ix_contact_terms_said",
    contact_terms.c.account_id,
    contact_terms.c.said_at,
    where="source = 'said'",
)

# What customers said about being written to. Rows are added and never changed; the last one for a purpose holds.
consents = Table(
    "consents",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    text("purpose"),
    text("state"),
    text("source"),
    # Which wording was agreed to, and what shows it; empty where nobody keeps that.
    text("text_version"),
    text("proof"),
    # Who noted it.
    text("by"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("purpose in ('orders', 'marketing')", name="purpose"),
    CheckConstraint("state in ('granted', 'denied', 'unknown')", name="state"),
)
Index("ix_consents_contact", consents.c.account_id, consents.c.contact_id, consents.c.at)
Index("ix_consents_at", consents.c.account_id, consents.c.at, consents.c.id)
Index("ix_consents_purpose", consents.c.account_id, consents.c.purpose, consents.c.at, consents.c.id)
Index("ix_consents_state", consents.c.account_id, consents.c.state, consents.c.at, consents.c.id)
Index("ix_consents_source", consents.c.account_id, consents.c.source, consents.c.at, consents.c.id)

# The words that customers are asked with. A new wording is a new version; what somebody agreed to stays as it was.
consent_texts = Table(
    "consent_texts",
    metadata,
    number("account_id"),
    text("language"),
    number("version"),
    text("words"),
    text("created_by"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "language", "version"),
)

# Links that lead one person to what is held of them. Only a hash of the key is kept; the link ends by itself.
data_links = Table(
    "data_links",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    text("key_hash"),
    text("language"),
    # `customer` by a message of theirs, or who of the team sent it.
    text("asked_by"),
    time_ms("created_at"),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("key_hash"),
)
Index("ix_data_links_contact", data_links.c.account_id, data_links.c.contact_id, data_links.c.created_at)
Index("ix_data_links_expires", data_links.c.expires_at)

# How long an account keeps messages, and contacts who neither write nor order; 0 keeps them as long as the installation does.
retention_rules = Table(
    "retention_rules",
    metadata,
    number("account_id"),
    number("message_days"),
    number("contact_days"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id"),
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

# What people did with a conversation; without a row it is open, nobody's, and nothing in it was seen. Messages do not
# write here: one that is newer than `closed_at` opens the conversation again, one newer than `seen_until` is unread.
# Only an order that needed nobody moves `seen_until` on.
conversations = Table(
    "conversations",
    metadata,
    number("account_id"),
    text("contact_id"),
    number("seen_until", 0),
    # The member who looks after it.
    optional_text("assigned_to"),
    time_ms("closed_at", nullable=True),
    time_ms("updated_at"),
    text("updated_by"),
    # It rests until then, or until its customer is seen after `snoozed_seen`.
    time_ms("snoozed_until", nullable=True),
    time_ms("snoozed_seen", nullable=True),
    PrimaryKeyConstraint("account_id", "contact_id"),
)
# Those that rest; few at any time.
Index(
    "ix_conversations_snoozed",
    conversations.c.snoozed_until,
    where="snoozed_until is not null",
)

# What the team says among itself in a conversation. No statement that sends or tells of messages reads this table.
conversation_notes = Table(
    "conversation_notes",
    metadata,
    number("account_id"),
    text("id"),
    text("contact_id"),
    text("text"),
    # Like `messages.sent_by`.
    text("written_by"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index(
    "ix_conversation_notes_contact",
    conversation_notes.c.account_id,
    conversation_notes.c.contact_id,
    conversation_notes.c.id,
)

# The same done with many contacts, piece by piece.
contact_jobs = Table(
    "contact_jobs",
    metadata,
    number("account_id"),
    text("id"),
    text("act"),
    text("tag"),
    # JSON: the ids that were ticked, or what the list was narrowed to.
    text("chosen"),
    # The last contact that it was done with; they are taken in the order of their ids.
    text("behind"),
    text("state"),
    number("total"),
    number("done"),
    # JSON: who asked for it, for the audit log.
    text("created_by"),
    time_ms("created_at"),
    time_ms("finished_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("act in ('tag', 'untag', 'erase')", name="act"),
    CheckConstraint("state in ('running', 'done')", name="state"),
)
Index(
    "ix_contact_jobs_running",
    contact_jobs.c.created_at,
    where="state = 'running'",
)

canned_replies = Table(
    "canned_replies",
    metadata,
    number("account_id"),
    text("id"),
    text("shortcut"),
    text("text"),
    time_ms("updated_at"),
    text("updated_by"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "shortcut"),
)

imports = Table(
    "imports",
    metadata,
    number("account_id"),
    text("id"),
    text("kind"),
    text("filename"),
    text("state"),
    number("total", 0),
    number("done", 0),
    number("skipped", 0),
    # JSON: what is wrong with which row.
    text("errors"),
    # The checked rows, until they are all in.
    Column("rows", LargeBinary, nullable=True),
    text("created_by"),
    time_ms("created_at"),
    time_ms("finished_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('checked', 'running', 'done', 'refused')", name="state"),
)
# What the engine still has to bring in; nearly always nothing.
Index(
    "ix_imports_running",
    imports.c.created_at,
    where="state = 'running'",
)
