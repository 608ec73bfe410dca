"""how one shop words its notifications, and the venue that its orders are for"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "store_source_notifications",
        _number("account_id"),
        _text("source_id"),
        _text("kind"),
        _number("step"),
        _text("language"),
        sa.Column("enabled", sa.SmallInteger(), server_default="0", nullable=False),
        _text("wording"),
        _number("updated_at"),
        _text("updated_by"),
        sa.CheckConstraint("step between 1 and 3", name=op.f("ck_store_source_notifications_step")),
        sa.PrimaryKeyConstraint(
            "account_id", "source_id", "kind", "step", "language", name=op.f("pk_store_source_notifications")
        ),
    )
    op.add_column("store_sources", sa.Column("venue_id", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("store_sources", "venue_id")
    op.drop_table("store_source_notifications")
