"""messages and calls are found by their time, for who forgets what is old"""

from __future__ import annotations

from alembic import op

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None
quiet = ("messages", "request_log")


def upgrade() -> None:
    op.create_index("ix_messages_created", "messages", ["account_id", "created_at"])
    op.create_index("ix_request_log_created", "request_log", ["created_at"])


def downgrade() -> None:
    op.drop_index("ix_request_log_created", "request_log")
    op.drop_index("ix_messages_created", "messages")
