"""The declared schema. Migrations lead to exactly this; a test compares the two."""

from tablegram.storage.tables.accounts import accounts, api_keys, charges, members, plans, request_log
from tablegram.storage.tables.engine import idempotency, inbox, installation, leases, owners
from tablegram.storage.tables.messaging import instances, messages, templates
from tablegram.storage.tables.schema import metadata

__all__ = [
    "accounts",
    "api_keys",
    "charges",
    "idempotency",
    "inbox",
    "installation",
    "instances",
    "leases",
    "members",
    "messages",
    "metadata",
    "owners",
    "plans",
    "request_log",
    "templates",
]
