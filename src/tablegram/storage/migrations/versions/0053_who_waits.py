"""who waits for a message, by recipient"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    where = sa.text("due_at is not null")
    op.create_index(
        "ix_messages_waiting", "messages", ["phone", "instance_id"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    op.drop_index("ix_messages_waiting", "messages")
