"""what is known of a template: its names, quality, reason, and as of when"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_WORDS = {"id": "''", "network_id": "''", "quality": "''", "reason": "''", "edits": "'[]'"}


def upgrade() -> None:
    for name, default in _WORDS.items():
        op.add_column("templates", sa.Column(name, sa.Text(), server_default=sa.text(default), nullable=False))
    op.add_column("templates", sa.Column("told_at", sa.BigInteger(), server_default="0", nullable=False))
    op.create_index("ix_templates_id", "templates", ["account_id", "id"])


def downgrade() -> None:
    op.drop_index("ix_templates_id", table_name="templates")
    for name in (*_WORDS, "told_at"):
        op.drop_column("templates", name)
