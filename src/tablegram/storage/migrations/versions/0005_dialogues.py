"""what guests were asked about their texts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dialogues",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('open', 'answered')", name=op.f("ck_dialogues_state")),
        sa.PrimaryKeyConstraint("account_id", "venue_id", "phone", name=op.f("pk_dialogues")),
    )


def downgrade() -> None:
    op.drop_table("dialogues")
