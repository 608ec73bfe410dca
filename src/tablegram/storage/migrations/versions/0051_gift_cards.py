"""gift cards, and bills that are paid with them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

_METHODS = "method in ('cash', 'card', 'online')"
_WITH_GIFTS = "method in ('cash', 'card', 'online', 'gift')"


def upgrade() -> None:
    op.create_table(
        "loyalty_gifts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("spent", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("expired", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("cancelled", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("paid_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=True),
        sa.Column("from_name", sa.Text(), nullable=False),
        sa.Column("greeting", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("warned_at", sa.BigInteger(), nullable=True),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('active', 'cancelled')", name=op.f("ck_loyalty_gifts_state")),
        sa.CheckConstraint("paid_by in ('cash', 'card', 'online', 'given')", name=op.f("ck_loyalty_gifts_paid_by")),
        sa.CheckConstraint("balance >= 0 and spent >= 0", name=op.f("ck_loyalty_gifts_balance")),
        sa.CheckConstraint("balance = value - spent - expired - cancelled", name=op.f("ck_loyalty_gifts_sums")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_gifts")),
        sa.UniqueConstraint("account_id", "code", name=op.f("uq_loyalty_gifts_account_id_code")),
    )
    op.create_index("ix_loyalty_gifts_contact", "loyalty_gifts", ["account_id", "contact_id"])
    op.create_index("ix_loyalty_gifts_time", "loyalty_gifts", ["account_id", "created_at"])
    where = sa.text("balance > 0 and expires_at is not null")
    op.create_index(
        "ix_loyalty_gifts_expiry", "loyalty_gifts", ["expires_at"], sqlite_where=where, postgresql_where=where
    )
    op.create_table(
        "loyalty_gift_moves",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("gift_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("money", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("payment_id", sa.Text(), nullable=True),
        sa.Column("tab_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind in ('issue', 'redeem', 'give_back', 'expire', 'cancel')", name=op.f("ck_loyalty_gift_moves_kind")
        ),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_loyalty_gift_moves_balance")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_gift_moves")),
        sa.UniqueConstraint("account_id", "cause", name=op.f("uq_loyalty_gift_moves_account_id_cause")),
    )
    op.create_index("ix_loyalty_gift_moves_gift", "loyalty_gift_moves", ["account_id", "gift_id", "created_at"])
    op.create_index("ix_loyalty_gift_moves_payment", "loyalty_gift_moves", ["account_id", "payment_id"])
    op.create_index("ix_loyalty_gift_moves_time", "loyalty_gift_moves", ["account_id", "venue_id", "created_at"])
    _allow(_WITH_GIFTS)


def downgrade() -> None:
    op.execute("delete from tab_payments where method = 'gift'")
    _allow(_METHODS)
    op.drop_table("loyalty_gift_moves")
    op.drop_table("loyalty_gifts")


def _allow(methods: str) -> None:
    with op.batch_alter_table("tab_payments") as batch:
        batch.drop_constraint(op.f("ck_tab_payments_method"), type_="check")
        batch.create_check_constraint(op.f("ck_tab_payments_method"), methods)
