"""The lists of the API that grow without bound: what each can be narrowed to, the statement behind it, and its index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Executable

from tablegram.accounts.keys import store as calls
from tablegram.messaging.store.lists import listing
from tablegram.storage.database import Query

ACCOUNT, CURSOR, MOST = 1, "0zz", 50


@dataclass(frozen=True, slots=True)
class Narrowed:
    query: Query
    # Names of which the plan has at least one. A key is named `…_pkey` by a server and `…_autoindex_…` by a file.
    indexes: tuple[str, ...]


def _key(table: str) -> tuple[str, ...]:
    return f"pk_{table}", f"sqlite_autoindex_{table}_1"


def _to(query: Query | Executable, *indexes: str) -> Narrowed:
    return Narrowed(query if isinstance(query, Query) else Query(query), indexes)


def _messages(index: str, **filters: object) -> Narrowed:
    return _to(listing.page(ACCOUNT, filters, CURSOR, MOST), index)


# By operation, then by parameter; where its values are answered by different indexes, by parameter and value.
LISTS: Mapping[str, Mapping[str, Narrowed]] = {
    # Messages that are queued, sent, delivered or read are met along the key (decision 0157).
    "listMessages": {
        "phone": _messages("ix_messages_phone", phone="9056"),
        "status=failed": _messages("ix_messages_failed", state="failed"),
        "status=cancelled": _messages("ix_messages_cancelled", state="cancelled"),
        "status=received": _messages("ix_messages_direction", state="received"),
        "direction": _messages("ix_messages_direction", direction="in"),
        # Its ids are those of a time, give or take an hour.
        "since": _to(listing.page(ACCOUNT, {"since_ms": 1_900_000_000_000}, CURSOR, MOST), *_key("messages"), "ix_messages_created"),
        # Several at once: what is rarer comes first.
        "phone, status, direction": _messages("ix_messages_phone", phone="9056", state="failed", direction="out"),
        "status, direction, since": _messages("ix_messages_failed", state="failed", direction="out", since_ms=1),
    },
    "listRequests": {
        "status": _to(calls.CALLS_OF_STATUS, "ix_request_log_status"),
        "status=4xx": _to(calls.STATUSES, "ix_request_log_status"),
        "key_id": _to(calls.STATUSES_OF_KEY, "ix_request_log_key"),
        "key_id, status": _to(calls.CALLS_OF_KEY, "ix_request_log_key"),
    },
}  # fmt: skip

# What an account has is few by nature: lines, people, places, and what they write by hand.
BOUNDED: Mapping[str, str] = {
    "listTemplates": "a line's templates, of which the network allows some hundreds",
    "listCoupons": "coupons are made by hand",
    "listPrinters": "printers of venues",
    "listCouriers": "couriers of venues",
    "listSegments": "groups are made by hand",
    "listCampaigns": "campaigns are made by hand",
    "listAutomations": "automations are made by hand",
    "listAccounts": "accounts of an installation",
}

# These grow, and not all that they are narrowed to has its index or a plan in LISTS yet.
NOT_YET: Mapping[str, frozenset[str]] = {
    "listAudit": frozenset({"action", "actor", "object_id", "since"}),
    "listDeliveries": frozenset({"state"}),
    "listConversations": frozenset({"assigned", "status", "unread", "waiting"}),
    "listContacts": frozenset({"active_since", "tag"}),
    "listConsents": frozenset({"contact_id", "purpose", "since", "source", "state", "until"}),
    "listContactUnsent": frozenset({"reason", "source"}),
    "listPaymentLinks": frozenset(
        {"attention", "contact_id", "phone", "since", "state", "subject_id", "subject_kind", "until"}
    ),
    "listOrders": frozenset({"open", "order_type", "placed_since", "placed_until", "status", "venue_id"}),
    "listTabs": frozenset({"status", "table_id", "venue_id"}),
    "listGifts": frozenset({"contact_id", "status"}),
    "listTickets": frozenset({"kind", "order_id", "printer_id", "venue_id"}),
    "listOrderDeliveries": frozenset({"courier_id", "order_id", "status", "venue_id"}),
    "listStoreDeliveries": frozenset({"attention", "source_id", "state"}),
    "listStoreOrders": frozenset({"contact_id", "source_id"}),
    "listStoreNotices": frozenset({"kind", "phone", "source_id", "state"}),
    "listStoreCarts": frozenset({"source_id", "state"}),
    "listCampaignSends": frozenset({"reason", "state"}),
    "listAutomationRuns": frozenset({"state"}),
    "listAutomationRatings": frozenset({"open"}),
}


def narrowed_by(operation: str) -> set[str]:
    """The parameters of an operation that are in the tables above."""
    said = {part.partition("=")[0] for name in LISTS.get(operation, {}) for part in name.split(", ")}
    return said | NOT_YET.get(operation, frozenset())


# An account with many rows of each table, of which few are of a rare kind.
ROWS = [
    """
insert into messages (account_id, id, instance_id, direction, phone, type, text, content, state, priority, attempts, category, cost_micros,
    created_at, sent_at, delivered_at, failed_at, error_code, due_at)
select 1, '01' || n, 1, case when n % 1000 = 0 then 'in' else 'out' end, '90' || (n % 5000), 'text', '', '{{}}',
    case when n % 1000 = 1 then 'failed' when n % 1000 = 2 then 'queued' else 'read' end, 1, 1, 'service', 0, n,
    case when n % 1000 > 2 then n end, case when n % 1000 > 2 then n end, case when n % 1000 = 1 then n end,
    case when n % 1000 = 1 then 'unreachable' end, case when n % 1000 = 2 then n end
from {numbers}
""",
    """
insert into request_log (account_id, id, request_id, key_id, method, path, status, duration_us, remote, created_at)
select 1, '01' || n, 'r' || n, 'k' || (n % 10), 'GET', '/', case when n % 1000 = 1 then 422 else 200 end, 1, '', n
from {numbers}
""",
]
