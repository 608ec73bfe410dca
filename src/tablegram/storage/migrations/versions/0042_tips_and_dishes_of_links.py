"""the tip that a payment link asks for and what its subject notes with it; wrong PINs of couriers"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("payment_links", sa.Column("tip", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("payment_links", sa.Column("subject_note", sa.Text(), server_default=sa.text("''"), nullable=False))
    op.add_column("couriers", sa.Column("pin_misses", sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("couriers", sa.Column("pin_missed_at", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("couriers", "pin_missed_at")
    op.drop_column("couriers", "pin_misses")
    op.drop_column("payment_links", "subject_note")
    op.drop_column("payment_links", "tip")
