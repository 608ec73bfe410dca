"""leases have a number that grows with each owner"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("leases", sa.Column("fence", sa.BigInteger(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("leases", "fence")
