"""how tickets look, by station"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ticket_layouts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("station", sa.Text(), nullable=False),
        sa.Column("layout", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind in ('station', 'pass', 'receipt')", name=op.f("ck_ticket_layouts_kind")),
        sa.PrimaryKeyConstraint("account_id", "venue_id", "kind", "station", name=op.f("pk_ticket_layouts")),
    )


def downgrade() -> None:
    op.drop_table("ticket_layouts")
