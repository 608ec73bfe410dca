"""An account with many rows of each table whose lists are narrowed, of which few are of a rare kind."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import BigInteger, LargeBinary, SmallInteger

from tablegram.storage.tables import metadata

# What differs from row to row. What is not named here is empty, or 0; and of what may be null, nothing.
_DIFFERENT: Mapping[str, Mapping[str, str]] = {
    "messages": {
        "direction": "case when n % 1000 = 0 then 'in' else 'out' end",
        "phone": "'90' || (n % 5000)",
        "type": "'text'",
        "state": "case when n % 1000 = 0 then 'received' when n % 1000 = 1 then 'failed' when n % 1000 = 2 then 'queued' else 'read' end",
        "category": "'service'",
        "sent_at": "case when n % 1000 > 2 then n end",
        "delivered_at": "case when n % 1000 > 2 then n end",
        "failed_at": "case when n % 1000 = 1 then n end",
        "error_code": "case when n % 1000 = 1 then 'unreachable' end",
        "due_at": "case when n % 1000 = 2 then n end",
    },
    "request_log": {"key_id": "'k' || (n % 10)", "status": "case when n % 1000 = 1 then 422 else 200 end"},
    "audit_log": {"actor_kind": "'person'", "actor_id": "'p' || (n % 10)", "action": "'a.' || (n % 20)", "object_id": "'o' || n"},
    "deliveries": {
        "event_id": "'01' || n",
        "webhook_id": "'w1'",
        "state": "case when n % 1000 = 1 then 'dead' when n % 1000 = 2 then 'pending' else 'delivered' end",
    },
    "contacts": {"id": "'01' || n", "last_seen_at": "n", "window_until": "case when n % 3 = 0 then n end"},
    "conversations": {
        "contact_id": "'01' || n",
        "seen_until": "case when n % 500 = 0 then 0 else n end",
        "closed_at": "case when n % 50 <> 0 and n % 2 = 0 then n end",
        "assigned_to": "case when n % 20 = 0 then 'm' || (n % 7) end",
        "snoozed_until": "case when n % 1000 = 3 then n end",
    },
    "contact_terms": {"term": "'t' || (n % 2000)", "contact_id": "'01' || n"},
    "consents": {
        "contact_id": "'c' || (n / 3)",
        "purpose": "case when n % 50 = 1 then 'orders' else 'marketing' end",
        "state": "case when n % 50 = 2 then 'denied' else 'granted' end",
        "source": "'s' || (n % 20)",
        "at": "n",
    },
    "payment_links": {
        "reference": "'r' || n",
        "amount": "100",
        "phone": "'90' || (n % 3000)",
        "contact_id": "'c' || (n % 3000)",
        "subject_kind": "case when n % 50 = 1 then 'tab' else 'order' end",
        "subject_key": "'s' || n",
        "state": "case when n % 50 = 2 then 'failed' else 'paid' end",
        "attention": "case when n % 1000 = 1 then 'late' else '' end",
    },
    "orders": {
        "order_id": "'o' || n",
        "venue_id": "'v' || (n % 50)",
        "tab_id": "'01' || n",
        "order_type": "case when n % 50 = 1 then 'delivery' else 'dine_in' end",
        "state": "case when n % 50 = 2 then 'rejected' when n % 1000 = 3 then 'preparing' else 'completed' end",
        "payment_state": "'paid'",
        "closed_at": "case when n % 1000 <> 3 then n end",
        "created_at": "n",
    },
    "tabs": {
        "venue_id": "'v' || (n % 50)",
        "table_id": "'t' || (case when n % 1000 = 1 then n else n % 50 end)",
        "state": "case when n % 1000 = 1 then 'open' else 'closed' end",
        "opened_at": "n",
    },
    "loyalty_gifts": {
        "code": "'g' || n",
        "contact_id": "'c' || (n % 3000)",
        "value": "100",
        "balance": "case when n % 50 = 1 then 100 else 0 end",
        "expired": "case when n % 50 = 2 then 100 else 0 end",
        "cancelled": "case when n % 50 = 3 then 100 else 0 end",
        "spent": "case when n % 50 in (1, 2, 3) then 0 else 100 end",
        "state": "case when n % 50 = 3 then 'cancelled' else 'active' end",
        "paid_by": "'cash'",
        "created_at": "n",
    },
    "tickets": {
        "venue_id": "'v' || (n % 50)",
        "order_key": "'o' || n",
        "kind": "case when n % 50 = 1 then 'test' else 'order' end",
    },
    "print_jobs": {
        "venue_id": "'v' || (n % 50)",
        "ticket_id": "'01' || n",
        "printer_id": "'p' || (n % 50)",
        "state": "case when n % 1000 = 3 then 'queued' else 'printed' end",
    },
    "order_deliveries": {
        "venue_id": "'v' || (n % 50)",
        "order_key": "'k' || n",
        "order_id": "'o' || n",
        "courier_id": "'c' || (n % 50)",
        "state": "case when n % 50 = 2 then 'dropped' when n % 1000 = 3 then 'assigned' else 'delivered' end",
        "ended_at": "case when n % 1000 <> 3 then n end",
    },
    "store_deliveries": {
        "name": "'n' || n",
        "source_id": "'s' || (n % 50)",
        "state": "case when n % 50 = 1 then 'unreadable' else 'done' end",
        "attention": "case when n % 1000 = 1 then 'export_asked' else '' end",
    },
    "store_orders": {"reference": "'r' || n", "source_id": "'s' || (n % 50)", "contact_id": "'c' || (n % 3000)"},
    "store_notices": {
        "reference": "'r' || n",
        "source_id": "'s' || (n % 50)",
        "kind": "'k' || (n % 50)",
        "phone": "'90' || (n % 3000)",
        "state": "case when n % 50 = 1 then 'cancelled' else 'sent' end",
    },
    "store_carts": {
        "reference": "'r' || n",
        "source_id": "'s' || (n % 50)",
        "state": "case when n % 50 = 1 then 'recovered' else 'left' end",
    },
    "campaign_sends": {
        "campaign_id": "'c' || (n % 3)",
        "contact_id": "'01' || n",
        "state": "case when n % 50 = 1 then 'skipped' else 'read' end",
        "reason": "case when n % 50 = 1 then 'no_consent' else '' end",
        "updated_at": "n",
    },
    "automation_runs": {
        "automation_id": "'a' || (n % 3)",
        "contact_id": "'c' || n",
        "state": "case when n % 50 = 1 then 'stopped' else 'finished' end",
    },
    "automation_visits": {"run_id": "'01' || n", "contact_id": "'c' || (n % 3000)", "state": "'skipped'", "at": "n"},
    "automation_ratings": {
        "run_id": "'01' || n",
        "automation_id": "'a' || (n % 3)",
        "rating": "5",
        "is_open": "case when n % 1000 = 1 then 1 else 0 end",
    },
    "loyalty_warnings": {"contact_id": "'c' || (n % 3000)", "created_at": "n"},
}  # fmt: skip


def _insert(table: str, different: Mapping[str, str]) -> str:
    said = {"account_id": "1"}
    for column in metadata.tables[table].columns:
        if column.name in different:
            said[column.name] = different[column.name]
        elif column.name == "id":
            said[column.name] = "'01' || n"
        elif not column.nullable and column.name != "account_id":
            is_number = isinstance(column.type, BigInteger | SmallInteger)
            said[column.name] = "0" if is_number else "{no_bytes}" if isinstance(column.type, LargeBinary) else "''"
    names = ", ".join(f'"{name}"' for name in said)
    return f"insert into {table} ({names}) select {', '.join(said.values())} from {{numbers}}"


ROWS = [_insert(table, different) for table, different in _DIFFERENT.items()]
