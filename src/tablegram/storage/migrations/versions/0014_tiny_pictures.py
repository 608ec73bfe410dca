"""pictures of dishes as small as a list shows them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("menu_images", sa.Column("tiny", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("menu_images", "tiny")
