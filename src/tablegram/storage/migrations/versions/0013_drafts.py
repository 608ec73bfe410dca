"""orders from free words are read back first"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_DRAFT_STATES = "state in ('open', 'waiting', 'confirmed', 'dropped', 'expired', 'replaced')"
_REQUEST_STATES = "state in ('open', 'accepted', 'refused', 'replaced')"


def upgrade() -> None:
    _add_drafts()
    _add_requests()
    op.create_table(
        "last_words",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("account_id", "venue_id", "phone", name=op.f("pk_last_words")),
    )


def _add_drafts() -> None:
    op.create_table(
        "order_drafts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("order_type", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("table_label", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("route_url", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("missed", sa.Text(), nullable=False),
        sa.Column("is_sure", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(_DRAFT_STATES, name=op.f("ck_order_drafts_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_order_drafts")),
    )
    guest = ["account_id", "venue_id", "phone"]
    is_open, is_due = sa.text("state = 'open'"), sa.text("state in ('open', 'waiting')")
    op.create_index(
        "uq_order_drafts_open", "order_drafts", guest, unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("ix_order_drafts_guest", "order_drafts", guest)
    op.create_index("ix_order_drafts_due", "order_drafts", ["expires_at"], sqlite_where=is_due, postgresql_where=is_due)


def _add_requests() -> None:
    op.create_table(
        "order_requests",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=False),
        sa.CheckConstraint("kind in ('cancel', 'change')", name=op.f("ck_order_requests_kind")),
        sa.CheckConstraint(_REQUEST_STATES, name=op.f("ck_order_requests_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_order_requests")),
    )
    is_open = sa.text("state = 'open'")
    for name, columns, unique in (
        ("uq_order_requests_open", ["account_id", "order_id"], True),
        ("ix_order_requests_board", ["account_id", "venue_id"], False),
    ):
        op.create_index(name, "order_requests", columns, unique=unique, sqlite_where=is_open, postgresql_where=is_open)


def downgrade() -> None:
    op.drop_table("last_words")
    op.drop_table("order_requests")
    op.drop_table("order_drafts")
