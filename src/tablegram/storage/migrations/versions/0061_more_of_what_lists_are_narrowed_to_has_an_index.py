"""more of what lists are narrowed to has an index, in the order of the list"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

# By table: what tells the index from others of it, its columns behind the account, and of which rows it is.
_INDEXES: dict[str, dict[str, tuple[list[str], str]]] = {
    "audit_log": {
        "actor": (["actor_id", "id"], ""),
        "action": (["action", "id"], ""),
        "object": (["object_id", "id"], ""),
    },
    "deliveries": {"dead": (["webhook_id", "event_id"], "state = 'dead'")},
    "consents": {
        "purpose": (["purpose", "at", "id"], ""),
        "state": (["state", "at", "id"], ""),
        "source": (["source", "at", "id"], ""),
    },
    "payment_links": {
        "phone": (["phone", "id"], ""),
        "state": (["state", "id"], ""),
        "kind": (["subject_kind", "id"], ""),
    },
    "orders": {
        "venue": (["venue_id", "id"], ""),
        "type": (["order_type", "id"], ""),
        "state": (["state", "id"], ""),
    },
    "tabs": {
        "opened": (["opened_at"], ""),
        "table": (["table_id", "opened_at"], ""),
    },
    "tickets": {"kind": (["kind", "id"], "")},
    "order_deliveries": {
        "number": (["order_id"], ""),
        "state": (["state", "id"], ""),
    },
    "store_deliveries": {"state": (["state", "id"], "")},
    "store_orders": {"source": (["source_id", "id"], "")},
    "store_notices": {
        "kind": (["kind", "id"], ""),
        "source": (["source_id", "id"], ""),
        "state": (["state", "id"], ""),
    },
    "store_carts": {
        "source": (["source_id", "id"], ""),
        "state": (["state", "id"], ""),
    },
    "campaign_sends": {
        "unsent": (["campaign_id", "state", "contact_id"], "state in ('failed', 'skipped', 'holdout')"),
    },
    "automation_runs": {"state": (["automation_id", "state", "id"], "")},
    "loyalty_gifts": {
        "left": (["created_at", "id"], "balance > 0"),
        "spent": (["created_at", "id"], "balance = 0 and expired = 0 and state = 'active'"),
        "expired": (["created_at", "id"], "balance = 0 and expired > 0 and state = 'active'"),
        "cancelled": (["created_at", "id"], "state = 'cancelled'"),
    },
}
quiet = tuple(_INDEXES)


def upgrade() -> None:
    for table, indexes in _INDEXES.items():
        for name, (columns, where) in indexes.items():
            condition: dict[str, Any] = {
                f"{dialect}_where": sa.text(where) for dialect in ("sqlite", "postgresql") if where
            }
            op.create_index(f"ix_{table}_{name}", table, ["account_id", *columns], **condition)


def downgrade() -> None:
    for table, indexes in _INDEXES.items():
        for name in indexes:
            op.drop_index(f"ix_{table}_{name}", table)
