"""the last of what lists are narrowed to has an index: tickets of a printer, and why somebody got nothing of a campaign"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None
quiet = ("print_jobs", "campaign_sends")

_HAS_REASON = sa.text("reason <> ''")


def upgrade() -> None:
    op.create_index("ix_print_jobs_printer", "print_jobs", ["account_id", "printer_id", "ticket_id"])
    op.create_index(
        "ix_campaign_sends_reason",
        "campaign_sends",
        ["account_id", "campaign_id", "reason", "contact_id"],
        sqlite_where=_HAS_REASON,
        postgresql_where=_HAS_REASON,
    )


def downgrade() -> None:
    op.drop_index("ix_campaign_sends_reason", "campaign_sends")
    op.drop_index("ix_print_jobs_printer", "print_jobs")
