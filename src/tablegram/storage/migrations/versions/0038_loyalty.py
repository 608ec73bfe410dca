"""loyalty: the programme, points, coupons and what was redeemed"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "loyalty_programmes",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("is_on", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.Column("rates", sa.Text(), nullable=False),
        sa.Column("expires_months", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("warn_days", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_loyalty_programmes")),
    )
    op.create_table(
        "loyalty_members",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("given", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("redeemed", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("expired", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("taken", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance >= 0", name=op.f("ck_loyalty_members_balance")),
        sa.CheckConstraint("balance = given - redeemed - expired - taken", name=op.f("ck_loyalty_members_sums")),
        sa.PrimaryKeyConstraint("account_id", "contact_id", name=op.f("pk_loyalty_members")),
    )
    op.create_index("ix_loyalty_members_balance", "loyalty_members", ["account_id", "balance"])
    op.create_table(
        "loyalty_movements",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("short", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.Column("unused", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("warned_at", sa.BigInteger(), nullable=True),
        sa.Column("order_key", sa.Text(), nullable=True),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("rate", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("short >= 0 and unused >= 0 and balance >= 0", name=op.f("ck_loyalty_movements_counts")),
        sa.CheckConstraint(
            "kind in ('earn', 'reverse', 'redeem', 'give_back', 'expire', 'adjust')",
            name=op.f("ck_loyalty_movements_kind"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_movements")),
        sa.UniqueConstraint("account_id", "cause", name=op.f("uq_loyalty_movements_account_id_cause")),
    )
    op.create_index("ix_loyalty_movements_contact", "loyalty_movements", ["account_id", "contact_id", "created_at"])
    where = sa.text("unused > 0 and expires_at is not null")
    op.create_index(
        "ix_loyalty_movements_expiry", "loyalty_movements", ["expires_at"], sqlite_where=where, postgresql_where=where
    )
    op.create_index("ix_loyalty_movements_order", "loyalty_movements", ["account_id", "order_key"])
    op.create_index("ix_loyalty_movements_time", "loyalty_movements", ["account_id", "created_at"])
    op.create_table(
        "loyalty_coupons",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("shown_code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("gives", sa.Text(), nullable=False),
        sa.Column("percent", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("amount", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("category_id", sa.Text(), nullable=True),
        sa.Column("minimum", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("per_person", sa.BigInteger(), nullable=True),
        sa.Column("in_all", sa.BigInteger(), nullable=True),
        sa.Column("venue_id", sa.Text(), nullable=True),
        sa.Column("order_types", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=True),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("contact_id", sa.Text(), nullable=True),
        sa.Column("is_active", sa.SmallInteger(), nullable=False, server_default="0"),
        sa.Column("used", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("gives in ('percent', 'amount', 'item')", name=op.f("ck_loyalty_coupons_gives")),
        sa.CheckConstraint(
            "kind in ('welcome', 'birthday', 'win_back', 'code', 'stamps')", name=op.f("ck_loyalty_coupons_kind")
        ),
        sa.CheckConstraint("used >= 0 and (in_all is null or used <= in_all)", name=op.f("ck_loyalty_coupons_used")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_coupons")),
        sa.UniqueConstraint("account_id", "code", name=op.f("uq_loyalty_coupons_account_id_code")),
    )
    op.create_index("ix_loyalty_coupons_contact", "loyalty_coupons", ["account_id", "contact_id"])
    op.create_index("ix_loyalty_coupons_time", "loyalty_coupons", ["account_id", "created_at"])
    op.create_table(
        "loyalty_redemptions",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("coupon_id", sa.Text(), nullable=True),
        sa.Column("order_key", sa.Text(), nullable=True),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=True),
        sa.Column("points", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("amount", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("kind in ('points', 'coupon')", name=op.f("ck_loyalty_redemptions_kind")),
        sa.CheckConstraint(
            "state in ('chosen', 'held', 'final', 'given_back')", name=op.f("ck_loyalty_redemptions_state")
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_loyalty_redemptions")),
        sa.UniqueConstraint(
            "account_id",
            "coupon_id",
            "contact_id",
            "turn",
            name=op.f("uq_loyalty_redemptions_account_id_coupon_id_contact_id_turn"),
        ),
    )
    op.create_index("ix_loyalty_redemptions_contact", "loyalty_redemptions", ["account_id", "contact_id", "created_at"])
    op.create_index("ix_loyalty_redemptions_order", "loyalty_redemptions", ["account_id", "order_key"])
    op.create_index("ix_loyalty_redemptions_time", "loyalty_redemptions", ["account_id", "created_at"])


def downgrade() -> None:
    op.drop_table("loyalty_redemptions")
    op.drop_table("loyalty_coupons")
    op.drop_table("loyalty_movements")
    op.drop_table("loyalty_members")
    op.drop_table("loyalty_programmes")
