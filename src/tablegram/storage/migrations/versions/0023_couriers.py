"""couriers, their shifts, what each of them brings, and every step of it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_HAS_PHONE = sa.text("phone <> '' and removed_at is null")
_IS_OPEN = sa.text("ended_at is null")


def upgrade() -> None:
    op.create_table(
        "couriers",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("member_id", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("active", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("key_hash", sa.Text(), nullable=True),
        sa.Column("key_sealed", sa.Text(), nullable=True),
        sa.Column("pin_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_couriers")),
    )
    op.create_index("uq_couriers_key_hash", "couriers", ["key_hash"], unique=True)
    op.create_index("ix_couriers_venue", "couriers", ["account_id", "venue_id", "id"])
    op.create_index(
        "uq_couriers_phone",
        "couriers",
        ["account_id", "venue_id", "phone"],
        unique=True,
        sqlite_where=_HAS_PHONE,
        postgresql_where=_HAS_PHONE,
    )
    op.create_table(
        "courier_shifts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("courier_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("started_by", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_by", sa.Text(), nullable=True),
        sa.Column("expected", sa.BigInteger(), nullable=True),
        sa.Column("counted", sa.BigInteger(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("counted_at", sa.BigInteger(), nullable=True),
        sa.Column("counted_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_courier_shifts")),
    )
    op.create_index("ix_courier_shifts_courier", "courier_shifts", ["account_id", "courier_id", "id"])
    op.create_index(
        "uq_courier_shifts_open",
        "courier_shifts",
        ["account_id", "courier_id"],
        unique=True,
        sqlite_where=_IS_OPEN,
        postgresql_where=_IS_OPEN,
    )
    _create_deliveries()


def _create_deliveries() -> None:
    op.create_table(
        "order_deliveries",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("courier_id", sa.Text(), nullable=False),
        sa.Column("shift_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("collected", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("collected_by", sa.Text(), nullable=True),
        sa.Column("assigned_at", sa.BigInteger(), nullable=False),
        sa.Column("picked_up_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_order_deliveries")),
        sa.CheckConstraint(
            "state in ('assigned', 'picked_up', 'delivered', 'brought_back', 'dropped')",
            name=op.f("ck_order_deliveries_state"),
        ),
    )
    op.create_index(
        "uq_order_deliveries_open",
        "order_deliveries",
        ["account_id", "order_key"],
        unique=True,
        sqlite_where=_IS_OPEN,
        postgresql_where=_IS_OPEN,
    )
    op.create_index("ix_order_deliveries_order", "order_deliveries", ["account_id", "order_key", "id"])
    op.create_index("ix_order_deliveries_shift", "order_deliveries", ["account_id", "shift_id"])
    op.create_index("ix_order_deliveries_courier", "order_deliveries", ["account_id", "courier_id", "id"])
    op.create_index("ix_order_deliveries_venue", "order_deliveries", ["account_id", "venue_id", "id"])
    op.create_table(
        "delivery_steps",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("delivery_id", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("undone_at", sa.BigInteger(), nullable=True),
        sa.Column("undone_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_delivery_steps")),
    )
    op.create_index("ix_delivery_steps_delivery", "delivery_steps", ["account_id", "delivery_id", "id"])


def downgrade() -> None:
    for name in ("delivery_steps", "order_deliveries", "courier_shifts", "couriers"):
        op.drop_table(name)
