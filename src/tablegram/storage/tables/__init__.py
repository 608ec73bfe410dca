"""The declared schema. Migrations lead to exactly this; a test compares the two."""

from tablegram.storage.tables.accounts import accounts, api_keys, charges, members, plans, request_log
from tablegram.storage.tables.crm import (
    auto_replies,
    auto_reply_uses,
    contact_aliases,
    contact_terms,
    contacts,
    erasures,
)
from tablegram.storage.tables.engine import idempotency, inbox, installation, leases, owners
from tablegram.storage.tables.events import deliveries, delivery_attempts, events, webhooks
from tablegram.storage.tables.media import media
from tablegram.storage.tables.messaging import instances, messages, templates
from tablegram.storage.tables.schema import metadata

__all__ = [
    "accounts",
    "api_keys",
    "auto_replies",
    "auto_reply_uses",
    "charges",
    "contact_aliases",
    "contact_terms",
    "contacts",
    "deliveries",
    "delivery_attempts",
    "erasures",
    "events",
    "idempotency",
    "inbox",
    "installation",
    "instances",
    "leases",
    "media",
    "members",
    "messages",
    "metadata",
    "owners",
    "plans",
    "request_log",
    "templates",
    "webhooks",
]
