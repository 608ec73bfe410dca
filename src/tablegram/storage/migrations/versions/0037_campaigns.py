"""campaigns, whom they reach, their short links and who followed those"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

_DUE = sa.text("due_at is not null")


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "campaigns",
        _number("account_id"),
        _text("id"),
        _text("name"),
        _text("state"),
        _text("reason"),
        _text("segment_id"),
        _number("instance_id", nullable=True),
        _text("plan"),
        _number("due_at", nullable=True),
        _text("behind"),
        sa.Column("is_listed", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        _number("starts_at", nullable=True),
        _number("started_at", nullable=True),
        _number("ended_at", nullable=True),
        _number("settled_at", nullable=True),
        _text("created_by"),
        _number("created_at"),
        _number("updated_at"),
        sa.CheckConstraint(
            "state in ('draft', 'scheduled', 'running', 'held', 'paused', 'cancelled', 'finished', 'stopped', 'missed')",
            name=op.f("ck_campaigns_state"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_campaigns")),
    )
    op.create_index("ix_campaigns_due", "campaigns", ["due_at"], sqlite_where=_DUE, postgresql_where=_DUE)
    op.create_table(
        "campaign_sends",
        _number("account_id"),
        _text("campaign_id"),
        _text("contact_id"),
        _number("arm"),
        _text("state"),
        _text("reason"),
        _number("due_at", nullable=True),
        _text("message_key", nullable=True),
        _text("code", nullable=True),
        _number("at", nullable=True),
        _number("replied_at", nullable=True),
        _number("opted_out_at", nullable=True),
        _number("updated_at"),
        sa.CheckConstraint(
            "state in ('waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'holdout')",
            name=op.f("ck_campaign_sends_state"),
        ),
        sa.CheckConstraint("(state = 'waiting') = (due_at is not null)", name=op.f("ck_campaign_sends_due")),
        sa.PrimaryKeyConstraint("account_id", "campaign_id", "contact_id", name=op.f("pk_campaign_sends")),
    )
    op.create_index(
        "ix_campaign_sends_due",
        "campaign_sends",
        ["account_id", "campaign_id", "due_at", "contact_id"],
        sqlite_where=_DUE,
        postgresql_where=_DUE,
    )
    op.create_index("ix_campaign_sends_state", "campaign_sends", ["account_id", "campaign_id", "state"])
    op.create_index("ix_campaign_sends_at", "campaign_sends", ["account_id", "campaign_id", "at"])
    op.create_index("ix_campaign_sends_contact", "campaign_sends", ["account_id", "contact_id", "at"])
    op.create_index("uq_campaign_sends_code", "campaign_sends", ["code"], unique=True)
    op.create_table(
        "campaign_links",
        _number("account_id"),
        _text("campaign_id"),
        _number("number"),
        _text("url"),
        sa.PrimaryKeyConstraint("account_id", "campaign_id", "number", name=op.f("pk_campaign_links")),
    )
    op.create_table(
        "campaign_clicks",
        _number("account_id"),
        _text("campaign_id"),
        _text("contact_id"),
        _number("number"),
        _number("clicks"),
        _number("first_at"),
        _number("last_at"),
        sa.PrimaryKeyConstraint("account_id", "campaign_id", "contact_id", "number", name=op.f("pk_campaign_clicks")),
    )


def downgrade() -> None:
    for table in ("campaign_clicks", "campaign_links", "campaign_sends", "campaigns"):
        op.drop_table(table)
