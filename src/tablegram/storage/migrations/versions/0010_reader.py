"""a language model may read guests' texts: its switch, what it costs, and which texts wait for it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "readers",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("is_on", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("trouble_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_readers")),
    )
    op.create_table(
        "reader_days",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.BigInteger(), nullable=False),
        sa.Column("calls", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_reader_days")),
    )
    op.create_table(
        "waiting_texts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_at", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "message_key", name=op.f("pk_waiting_texts")),
    )
    op.create_index("ix_waiting_texts_due", "waiting_texts", ["due_at"])


def downgrade() -> None:
    op.drop_table("waiting_texts")
    op.drop_table("reader_days")
    op.drop_table("readers")
