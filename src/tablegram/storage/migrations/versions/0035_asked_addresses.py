"""a contact is asked once what to call an address"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("contact_addresses", sa.Column("asked_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("contact_addresses") as batch:
        batch.drop_column("asked_at")
