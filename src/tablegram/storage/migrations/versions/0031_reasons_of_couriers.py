"""why a courier has brought something back"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("delivery_steps", sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("delivery_steps") as batch:
        batch.drop_column("reason")
