"""what is said because of a shop's events, carts that were left behind, and who has bought"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_DUE = sa.text("due_at is not null")


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def upgrade() -> None:
    op.create_table(
        "store_notifications",
        _number("account_id"),
        _text("kind"),
        _number("step"),
        _text("language"),
        sa.Column("enabled", sa.SmallInteger(), server_default="0", nullable=False),
        _text("wording"),
        _number("updated_at"),
        _text("updated_by"),
        sa.CheckConstraint("step between 1 and 3", name=op.f("ck_store_notifications_step")),
        sa.PrimaryKeyConstraint("account_id", "kind", "step", "language", name=op.f("pk_store_notifications")),
    )
    op.create_table(
        "store_notices",
        _number("account_id"),
        _text("id"),
        _text("source_id"),
        _text("reference"),
        _text("kind"),
        _number("step"),
        _text("part"),
        _text("number"),
        _text("name"),
        _text("phone"),
        _text("language"),
        _text("facts"),
        _number("instance_id", nullable=True),
        _text("state"),
        _text("reason"),
        _number("due_at", nullable=True),
        _text("message_key", nullable=True),
        _number("created_at"),
        _number("updated_at"),
        sa.CheckConstraint("state in ('waiting', 'sent', 'skipped', 'cancelled')", name=op.f("ck_store_notices_state")),
        sa.CheckConstraint("(state = 'waiting') = (due_at is not null)", name=op.f("ck_store_notices_due")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_store_notices")),
        sa.UniqueConstraint(
            "account_id",
            "source_id",
            "reference",
            "kind",
            "step",
            "part",
            name=op.f("uq_store_notices_account_id_source_id_reference_kind_step_part"),
        ),
    )
    op.create_index("ix_store_notices_due", "store_notices", ["due_at"], sqlite_where=_DUE, postgresql_where=_DUE)
    op.create_index("ix_store_notices_phone", "store_notices", ["account_id", "phone", "id"])
    op.create_index("ix_store_notices_old", "store_notices", ["created_at"])
    op.create_table(
        "store_carts",
        _number("account_id"),
        _text("id"),
        _text("source_id"),
        _text("reference"),
        _text("checkout"),
        _text("name"),
        _text("phone"),
        _text("email"),
        _text("language"),
        _number("consents", nullable=True),
        _text("facts"),
        _number("amount", nullable=True),
        _text("currency"),
        _number("instance_id", nullable=True),
        _text("state"),
        _number("step"),
        _number("due_at", nullable=True),
        sa.Column("reminders", sa.BigInteger(), server_default="0", nullable=False),
        _number("began_at"),
        _number("changed_at"),
        _text("order_reference"),
        _number("bought_amount", nullable=True),
        _text("bought_currency"),
        _number("created_at"),
        _number("updated_at"),
        _number("ended_at", nullable=True),
        sa.CheckConstraint(
            "state in ('open', 'left', 'bought', 'recovered', 'deleted')", name=op.f("ck_store_carts_state")
        ),
        sa.CheckConstraint("due_at is null or state = 'open'", name=op.f("ck_store_carts_due")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_store_carts")),
        sa.UniqueConstraint(
            "account_id", "source_id", "reference", name=op.f("uq_store_carts_account_id_source_id_reference")
        ),
    )
    op.create_index("ix_store_carts_due", "store_carts", ["due_at"], sqlite_where=_DUE, postgresql_where=_DUE)
    op.create_index("ix_store_carts_checkout", "store_carts", ["account_id", "checkout"])
    op.create_index("ix_store_carts_phone", "store_carts", ["account_id", "phone"])
    op.create_index("ix_store_carts_email", "store_carts", ["account_id", "email"])
    op.create_index("ix_store_carts_ended", "store_carts", ["account_id", "ended_at"])
    op.create_index("ix_store_carts_old", "store_carts", ["updated_at"])
    op.create_table(
        "store_purchases",
        _number("account_id"),
        _text("source_id"),
        _text("reference"),
        _text("checkout"),
        _text("phone"),
        _text("email"),
        _number("amount", nullable=True),
        _text("currency"),
        _number("at"),
        _number("created_at"),
        sa.PrimaryKeyConstraint("account_id", "source_id", "reference", name=op.f("pk_store_purchases")),
    )
    op.create_index("ix_store_purchases_checkout", "store_purchases", ["account_id", "checkout"])
    op.create_index("ix_store_purchases_phone", "store_purchases", ["account_id", "phone", "at"])
    op.create_index("ix_store_purchases_email", "store_purchases", ["account_id", "email", "at"])
    op.create_index("ix_store_purchases_old", "store_purchases", ["created_at"])


def downgrade() -> None:
    for table in ("store_purchases", "store_carts", "store_notices", "store_notifications"):
        op.drop_table(table)
