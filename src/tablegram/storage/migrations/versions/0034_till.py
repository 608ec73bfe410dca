"""cash in the drawer, and counts of it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

_SUMS = ("opening", "taken", "tips", "handed_in", "put_in", "given_back", "paid_out", "expected", "counted", "kept")


def upgrade() -> None:
    op.create_table(
        "till_counts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in _SUMS),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "expected = opening + taken + tips + handed_in + put_in - given_back - paid_out",
            name=op.f("ck_till_counts_expected"),
        ),
        sa.CheckConstraint("kept >= 0 and kept <= counted", name=op.f("ck_till_counts_kept")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_till_counts")),
        sa.UniqueConstraint("account_id", "venue_id", "number", name=op.f("uq_till_counts_account_id_venue_id_number")),
    )
    op.create_table(
        "till_movements",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("count_id", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "kind in ('taken', 'tips', 'handed_in', 'put_in', 'given_back', 'paid_out')",
            name=op.f("ck_till_movements_kind"),
        ),
        sa.CheckConstraint("amount > 0", name=op.f("ck_till_movements_amount")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_till_movements")),
        sa.UniqueConstraint("account_id", "source", name=op.f("uq_till_movements_account_id_source")),
    )
    waiting = sa.text("count_id is null")
    op.create_index(
        "ix_till_movements_open", "till_movements", ["account_id", "venue_id", "created_at"],
        sqlite_where=waiting, postgresql_where=waiting,
    )  # fmt: skip
    op.create_index("ix_till_movements_count", "till_movements", ["account_id", "count_id", "created_at"])


def downgrade() -> None:
    op.drop_table("till_movements")
    op.drop_table("till_counts")
