"""zones around venues, addresses of contacts, and where an order goes"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "delivery_zones",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("shape", sa.Text(), nullable=False),
        sa.Column("fee", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("minimum", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("free_from", sa.BigInteger(), nullable=True),
        sa.Column("minutes", sa.BigInteger(), nullable=False),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("is_active", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("hours", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_delivery_zones")),
    )
    op.create_index("ix_delivery_zones_venue", "delivery_zones", ["account_id", "venue_id", "position"])
    op.create_table(
        "contact_addresses",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("latitude", sa.BigInteger(), nullable=True),
        sa.Column("longitude", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_contact_addresses")),
    )
    op.create_index("ix_contact_addresses_contact", "contact_addresses", ["account_id", "contact_id", "used_at"])
    op.create_index("ix_contact_addresses_used", "contact_addresses", ["used_at"])
    for table in ("orders", "order_drafts", "carts"):
        op.add_column(table, sa.Column("destination", sa.Text(), nullable=True))


def downgrade() -> None:
    for table in ("carts", "order_drafts", "orders"):
        op.drop_column(table, "destination")
    op.drop_table("contact_addresses")
    op.drop_table("delivery_zones")
