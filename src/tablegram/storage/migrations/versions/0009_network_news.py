"""what the network says besides messages: notices, a line's standing, messages that were changed or taken back"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("instances", sa.Column("standing", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("contacts", sa.Column("username", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("messages", sa.Column("edited_at", sa.BigInteger(), nullable=True))
    op.add_column("messages", sa.Column("deleted_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "network_notices",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_network_notices")),
        sa.UniqueConstraint("account_id", "key", name=op.f("uq_network_notices_account_id_key")),
    )


def downgrade() -> None:
    op.drop_table("network_notices")
    op.drop_column("messages", "deleted_at")
    op.drop_column("messages", "edited_at")
    op.drop_column("contacts", "username")
    op.drop_column("instances", "standing")
