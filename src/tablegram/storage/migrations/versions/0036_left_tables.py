"""tabs of which nobody has told yet that they ended"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

_WHERE = sa.text("closed_by is null")


def upgrade() -> None:
    op.create_index("ix_tabs_untold", "tabs", ["last_at"], sqlite_where=_WHERE, postgresql_where=_WHERE)


def downgrade() -> None:
    op.drop_index("ix_tabs_untold", table_name="tabs")
