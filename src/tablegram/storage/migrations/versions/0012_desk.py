"""who sent a message, notes that never go out, conversations that rest until a time, and work on many contacts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("messages", sa.Column("sent_by", sa.Text(), nullable=True))
    op.add_column("conversations", sa.Column("snoozed_until", sa.BigInteger(), nullable=True))
    op.add_column("conversations", sa.Column("snoozed_seen", sa.BigInteger(), nullable=True))
    op.create_index(
        "ix_conversations_snoozed",
        "conversations",
        ["snoozed_until"],
        sqlite_where=sa.text("snoozed_until is not null"),
        postgresql_where=sa.text("snoozed_until is not null"),
    )
    op.create_table(
        "conversation_notes",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("written_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_conversation_notes")),
    )
    op.create_index("ix_conversation_notes_contact", "conversation_notes", ["account_id", "contact_id", "id"])
    op.create_table(
        "contact_jobs",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.Column("behind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("act in ('tag', 'untag', 'erase')", name=op.f("ck_contact_jobs_act")),
        sa.CheckConstraint("state in ('running', 'done')", name=op.f("ck_contact_jobs_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_contact_jobs")),
    )
    op.create_index(
        "ix_contact_jobs_running",
        "contact_jobs",
        ["created_at"],
        sqlite_where=sa.text("state = 'running'"),
        postgresql_where=sa.text("state = 'running'"),
    )


def downgrade() -> None:
    op.drop_table("contact_jobs")
    op.drop_table("conversation_notes")
    op.drop_index("ix_conversations_snoozed", table_name="conversations")
    op.drop_column("conversations", "snoozed_seen")
    op.drop_column("conversations", "snoozed_until")
    op.drop_column("messages", "sent_by")
