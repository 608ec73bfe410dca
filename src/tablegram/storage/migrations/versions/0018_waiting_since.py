"""a text that waits for the language model knows when its guest wrote before"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("waiting_texts", sa.Column("previous_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("waiting_texts") as batch:
        batch.drop_column("previous_at")
