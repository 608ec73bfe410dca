"""what lists are narrowed to has an index, newest first"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None

# Its table, its columns, and of which rows it is.
_INDEXES: dict[str, tuple[str, list[str], str]] = {
    "ix_request_log_status": ("request_log", ["account_id", "status", "id"], "status <> 200"),
    "ix_request_log_key": ("request_log", ["account_id", "key_id", "status", "id"], ""),
    "ix_messages_cancelled": ("messages", ["account_id", "id"], "error_code = 'cancelled'"),
}
quiet = tuple({table for table, _, _ in _INDEXES.values()})


def upgrade() -> None:
    for name, (table, columns, where) in _INDEXES.items():
        condition: dict[str, Any] = {
            f"{dialect}_where": sa.text(where) for dialect in ("sqlite", "postgresql") if where
        }
        op.create_index(name, table, columns, **condition)


def downgrade() -> None:
    for name, (table, _, _) in _INDEXES.items():
        op.drop_index(name, table)
