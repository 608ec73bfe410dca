"""what printers have told of themselves, and after how long a silence each counts as gone"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("printers", sa.Column("learned", sa.Text(), nullable=True))
    op.add_column("printers", sa.Column("silent_ms", sa.BigInteger(), server_default="60000", nullable=False))


def downgrade() -> None:
    with op.batch_alter_table("printers") as batch:
        batch.drop_column("silent_ms")
        batch.drop_column("learned")
