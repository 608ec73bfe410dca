"""messages of each state are found by it: one index for all of them, in place of three"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None
quiet = ("messages",)
# Who takes an index away keeps readers out at last, and must not wait for one who waits to write.
closed = ("messages",)


def upgrade() -> None:
    op.create_index("ix_messages_state", "messages", ["account_id", sa.text("(state || '')"), "id"])
    for name in ("ix_messages_direction", "ix_messages_failed", "ix_messages_cancelled"):
        op.drop_index(name, "messages")


def downgrade() -> None:
    op.create_index("ix_messages_direction", "messages", ["account_id", "direction", "id"])
    for name, words in (("failed", "failed_at is not null"), ("cancelled", "error_code = 'cancelled'")):
        only: dict[str, Any] = {"sqlite_where": sa.text(words), "postgresql_where": sa.text(words)}
        op.create_index(f"ix_messages_{name}", "messages", ["account_id", "id"], **only)
    op.drop_index("ix_messages_state", "messages")
