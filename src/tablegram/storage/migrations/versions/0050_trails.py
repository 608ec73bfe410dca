"""the request that began a message, kept with it and with what is told of it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("messages", sa.Column("trace", sa.Text(), nullable=True))
    op.add_column("events", sa.Column("trace", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("events", "trace")
    op.drop_column("messages", "trace")
