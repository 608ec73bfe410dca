"""stamp cards, and the stamps of guests"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "loyalty_cards",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("category_id", sa.Text(), nullable=True),
        sa.Column("needed", sa.BigInteger(), nullable=False),
        sa.Column("offer", sa.Text(), nullable=False),
        sa.Column("expires_months", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("is_active", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("needed > 1", name=op.f("ck_loyalty_cards_needed")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_cards")),
    )
    op.create_table(
        "loyalty_collected",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("card_id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("given", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("rewarded", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("expired", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("taken", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_loyalty_collected_balance")),
        sa.CheckConstraint("balance = given - rewarded - expired - taken", name=op.f("ck_loyalty_collected_sums")),
        sa.PrimaryKeyConstraint("account_id", "card_id", "contact_id", name=op.f("pk_loyalty_collected")),
    )
    op.create_index("ix_loyalty_collected_contact", "loyalty_collected", ["account_id", "contact_id"])
    op.create_table(
        "loyalty_stamps",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("card_id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("stamps", sa.BigInteger(), nullable=False),
        sa.Column("short", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("unused", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("order_key", sa.Text(), nullable=True),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("coupon_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind in ('earn', 'reverse', 'reward', 'give_back', 'expire')", name=op.f("ck_loyalty_stamps_kind")
        ),
        sa.CheckConstraint("short >= 0 and unused >= 0", name=op.f("ck_loyalty_stamps_counts")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_stamps")),
        sa.UniqueConstraint("account_id", "cause", name=op.f("uq_loyalty_stamps_account_id_cause")),
    )
    op.create_index("ix_loyalty_stamps_contact", "loyalty_stamps", ["account_id", "contact_id", "card_id"])
    op.create_index("ix_loyalty_stamps_order", "loyalty_stamps", ["account_id", "order_key"])
    where = sa.text("unused > 0 and expires_at is not null")
    op.create_index(
        "ix_loyalty_stamps_expiry", "loyalty_stamps", ["expires_at"], sqlite_where=where, postgresql_where=where
    )


def downgrade() -> None:
    op.drop_table("loyalty_stamps")
    op.drop_table("loyalty_collected")
    op.drop_table("loyalty_cards")
