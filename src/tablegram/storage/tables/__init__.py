"""The declared schema. Migrations lead to exactly this; a test compares the two."""

from tablegram.storage.tables.accounts import accounts, api_keys, charges, members, plans, request_log
from tablegram.storage.tables.crm import (
    auto_replies,
    auto_reply_uses,
    canned_replies,
    contact_aliases,
    contact_terms,
    contacts,
    conversations,
    erasures,
    imports,
)
from tablegram.storage.tables.engine import idempotency, inbox, installation, leases, owners
from tablegram.storage.tables.events import deliveries, delivery_attempts, events, webhooks
from tablegram.storage.tables.media import media
from tablegram.storage.tables.messaging import instances, messages, templates
from tablegram.storage.tables.people import audit_log, panel_links, panel_sessions, people, recovery_codes
from tablegram.storage.tables.schema import metadata

__all__ = [
    "accounts",
    "api_keys",
    "audit_log",
    "auto_replies",
    "auto_reply_uses",
    "canned_replies",
    "charges",
    "contact_aliases",
    "contact_terms",
    "contacts",
    "conversations",
    "deliveries",
    "delivery_attempts",
    "erasures",
    "events",
    "idempotency",
    "imports",
    "inbox",
    "installation",
    "instances",
    "leases",
    "media",
    "members",
    "messages",
    "metadata",
    "owners",
    "panel_links",
    "panel_sessions",
    "people",
    "plans",
    "recovery_codes",
    "request_log",
    "templates",
    "webhooks",
]
