"""what each running process does"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("owners", sa.Column("role", sa.Text, nullable=False, server_default=sa.text("'all'")))


def downgrade() -> None:
    op.drop_column("owners", "role")
