"""orders that nobody has paid in the time of their link are found by the clock"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_WAITS = sa.text("state = 'awaiting_payment'")


def upgrade() -> None:
    op.create_index("ix_orders_unpaid", "orders", ["updated_at"], sqlite_where=_WAITS, postgresql_where=_WAITS)


def downgrade() -> None:
    op.drop_index("ix_orders_unpaid", "orders")
