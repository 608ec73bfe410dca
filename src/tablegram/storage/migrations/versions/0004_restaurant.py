"""venues, menus, tables, carts, orders"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "carts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("tab_id", sa.Text(), nullable=True),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("is_signed", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("order_type", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("repeats", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('open', 'ordered', 'expired')", name=op.f("ck_carts_state")),
        sa.PrimaryKeyConstraint("account_id", "code", name=op.f("pk_carts")),
    )
    with op.batch_alter_table("carts", schema=None) as batch_op:
        batch_op.create_index(
            "ix_carts_asked",
            ["account_id", "phone"],
            unique=False,
            sqlite_where=sa.text("state = 'open' and phone <> ''"),
            postgresql_where=sa.text("state = 'open' and phone <> ''"),
        )
        batch_op.create_index(
            "ix_carts_open",
            ["expires_at"],
            unique=False,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )
        batch_op.create_index("ix_carts_tab", ["account_id", "tab_id"], unique=False)
        batch_op.create_index("uq_carts_holder", ["account_id", "holder"], unique=True)

    op.create_table(
        "item_option_groups",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("account_id", "item_id", "group_id", name=op.f("pk_item_option_groups")),
    )
    with op.batch_alter_table("item_option_groups", schema=None) as batch_op:
        batch_op.create_index("ix_item_option_groups_venue", ["account_id", "venue_id"], unique=False)

    op.create_table(
        "menu_categories",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("is_hidden", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("image_id", sa.Text(), nullable=True),
        sa.Column("availability", sa.Text(), nullable=False),
        sa.Column("translations", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_menu_categories")),
    )
    with op.batch_alter_table("menu_categories", schema=None) as batch_op:
        batch_op.create_index("ix_menu_categories_venue", ["account_id", "venue_id", "position"], unique=False)

    op.create_table(
        "menu_images",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("width", sa.BigInteger(), nullable=False),
        sa.Column("height", sa.BigInteger(), nullable=False),
        sa.Column("small", sa.LargeBinary(), nullable=False),
        sa.Column("large", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_menu_images")),
        sa.UniqueConstraint("account_id", "venue_id", "sha256", name=op.f("uq_menu_images_account_id_venue_id_sha256")),
    )
    with op.batch_alter_table("menu_images", schema=None) as batch_op:
        batch_op.create_index("ix_menu_images_id", ["id"], unique=False)

    op.create_table(
        "menu_items",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("category_id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kitchen_name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("price", sa.BigInteger(), nullable=False),
        sa.Column("image_id", sa.Text(), nullable=True),
        sa.Column("allergens", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("station", sa.Text(), nullable=False),
        sa.Column("availability", sa.Text(), nullable=False),
        sa.Column("sold_out_until", sa.BigInteger(), nullable=True),
        sa.Column("is_hidden", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("translations", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("price >= 0", name=op.f("ck_menu_items_price")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_menu_items")),
        sa.UniqueConstraint("account_id", "venue_id", "code", name=op.f("uq_menu_items_account_id_venue_id_code")),
    )
    with op.batch_alter_table("menu_items", schema=None) as batch_op:
        batch_op.create_index("ix_menu_items_venue", ["account_id", "venue_id", "category_id"], unique=False)

    op.create_table(
        "option_groups",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("required", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("least", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("most", sa.BigInteger(), nullable=True),
        sa.Column("translations", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_option_groups")),
        sa.UniqueConstraint("account_id", "venue_id", "code", name=op.f("uq_option_groups_account_id_venue_id_code")),
    )
    op.create_table(
        "options",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kitchen_name", sa.Text(), nullable=False),
        sa.Column("price_delta", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("most", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("is_default", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("sold_out_until", sa.BigInteger(), nullable=True),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("opens", sa.Text(), nullable=False),
        sa.Column("translations", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_options")),
    )
    with op.batch_alter_table("options", schema=None) as batch_op:
        batch_op.create_index("ix_options_group", ["account_id", "venue_id", "group_id"], unique=False)

    op.create_table(
        "order_events",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("order_key", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("payment_state", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "order_key", "number", name=op.f("pk_order_events")),
    )
    op.create_table(
        "order_sequences",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "day", name=op.f("pk_order_sequences")),
    )
    op.create_table(
        "orders",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("cart_code", sa.Text(), nullable=True),
        sa.Column("message_key", sa.Text(), nullable=True),
        sa.Column("order_type", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("payment_method", sa.Text(), nullable=False),
        sa.Column("payment_state", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("table_label", sa.Text(), nullable=False),
        sa.Column("tab_id", sa.Text(), nullable=True),
        sa.Column("waiter", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=True),
        sa.Column("customer_phone", sa.Text(), nullable=False),
        sa.Column("customer_name", sa.Text(), nullable=False),
        sa.Column("lines", sa.Text(), nullable=False),
        sa.Column("charges", sa.Text(), nullable=False),
        sa.Column("discounts", sa.Text(), nullable=False),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("route_url", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("promised_at", sa.BigInteger(), nullable=True),
        sa.Column("revision", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("order_type in ('dine_in', 'takeaway', 'delivery')", name=op.f("ck_orders_order_type")),
        sa.CheckConstraint(
            "state in ('awaiting_confirmation', 'awaiting_payment', 'sent_to_kitchen', 'preparing', 'ready', 'served', 'picked_up', 'out_for_delivery', 'delivered', 'completed', 'cancelled', 'rejected', 'expired')",
            name=op.f("ck_orders_state"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_orders")),
        sa.UniqueConstraint("account_id", "cart_code", name=op.f("uq_orders_account_id_cart_code")),
        sa.UniqueConstraint("account_id", "message_key", name=op.f("uq_orders_account_id_message_key")),
        sa.UniqueConstraint("account_id", "order_id", name=op.f("uq_orders_account_id_order_id")),
    )
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.create_index("ix_orders_contact", ["account_id", "contact_id"], unique=False)
        batch_op.create_index("ix_orders_id", ["id"], unique=False)
        batch_op.create_index(
            "ix_orders_phone",
            ["account_id", "customer_phone"],
            unique=False,
            sqlite_where=sa.text("customer_phone <> ''"),
            postgresql_where=sa.text("customer_phone <> ''"),
        )
        batch_op.create_index("ix_orders_recent", ["account_id", "created_at", "id"], unique=False)
        batch_op.create_index(
            "ix_orders_running",
            ["account_id", "venue_id", "created_at"],
            unique=False,
            sqlite_where=sa.text("closed_at is null"),
            postgresql_where=sa.text("closed_at is null"),
        )
        batch_op.create_index(
            "ix_orders_unanswered",
            ["created_at"],
            unique=False,
            sqlite_where=sa.text("state = 'awaiting_confirmation'"),
            postgresql_where=sa.text("state = 'awaiting_confirmation'"),
        )

    op.create_table(
        "restaurant_tables",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("label_key", sa.Text(), nullable=False),
        sa.Column("section_id", sa.Text(), nullable=True),
        sa.Column("waiter_id", sa.Text(), nullable=True),
        sa.Column("seats", sa.BigInteger(), nullable=True),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("generation", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_restaurant_tables")),
        sa.UniqueConstraint(
            "account_id", "venue_id", "label_key", name=op.f("uq_restaurant_tables_account_id_venue_id_label_key")
        ),
    )
    op.create_table(
        "sections",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("waiter_id", sa.Text(), nullable=True),
        sa.Column("position", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_sections")),
    )
    with op.batch_alter_table("sections", schema=None) as batch_op:
        batch_op.create_index("ix_sections_venue", ["account_id", "venue_id"], unique=False)

    op.create_table(
        "tabs",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state in ('open', 'closed')", name=op.f("ck_tabs_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tabs")),
    )
    with op.batch_alter_table("tabs", schema=None) as batch_op:
        batch_op.create_index(
            "uq_tabs_open",
            ["account_id", "table_id"],
            unique=True,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )

    op.create_table(
        "venues",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("is_default", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("languages", sa.Text(), nullable=False),
        sa.Column("order_types", sa.Text(), nullable=False),
        sa.Column("stations", sa.Text(), nullable=False),
        sa.Column("hours", sa.Text(), nullable=False),
        sa.Column("service_charge", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("accepts_by_itself", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("refuses_unsigned", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("signing_key", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("menu_version", sa.BigInteger(), server_default="1", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_venues")),
    )
    with op.batch_alter_table("venues", schema=None) as batch_op:
        batch_op.create_index("ix_venues_id", ["id"], unique=False)
        batch_op.create_index(
            "uq_venues_default",
            ["account_id"],
            unique=True,
            sqlite_where=sa.text("is_default = 1 and deleted_at is null"),
            postgresql_where=sa.text("is_default = 1 and deleted_at is null"),
        )

    op.create_table(
        "waiter_calls",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("table_label", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("waiter", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=False),
        sa.CheckConstraint("kind in ('waiter', 'bill')", name=op.f("ck_waiter_calls_kind")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_waiter_calls")),
    )
    with op.batch_alter_table("waiter_calls", schema=None) as batch_op:
        batch_op.create_index(
            "uq_waiter_calls_open",
            ["account_id", "table_id", "kind"],
            unique=True,
            sqlite_where=sa.text("answered_at is null"),
            postgresql_where=sa.text("answered_at is null"),
        )

    op.create_table(
        "waiters",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("venue_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_waiters")),
    )
    with op.batch_alter_table("waiters", schema=None) as batch_op:
        batch_op.create_index("ix_waiters_venue", ["account_id", "venue_id"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("waiters", schema=None) as batch_op:
        batch_op.drop_index("ix_waiters_venue")

    op.drop_table("waiters")
    with op.batch_alter_table("waiter_calls", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_waiter_calls_open",
            sqlite_where=sa.text("answered_at is null"),
            postgresql_where=sa.text("answered_at is null"),
        )

    op.drop_table("waiter_calls")
    with op.batch_alter_table("venues", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_venues_default",
            sqlite_where=sa.text("is_default = 1 and deleted_at is null"),
            postgresql_where=sa.text("is_default = 1 and deleted_at is null"),
        )
        batch_op.drop_index("ix_venues_id")

    op.drop_table("venues")
    with op.batch_alter_table("tabs", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_tabs_open", sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'")
        )

    op.drop_table("tabs")
    with op.batch_alter_table("sections", schema=None) as batch_op:
        batch_op.drop_index("ix_sections_venue")

    op.drop_table("sections")
    op.drop_table("restaurant_tables")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_orders_unanswered",
            sqlite_where=sa.text("state = 'awaiting_confirmation'"),
            postgresql_where=sa.text("state = 'awaiting_confirmation'"),
        )
        batch_op.drop_index(
            "ix_orders_running",
            sqlite_where=sa.text("closed_at is null"),
            postgresql_where=sa.text("closed_at is null"),
        )
        batch_op.drop_index("ix_orders_recent")
        batch_op.drop_index(
            "ix_orders_phone",
            sqlite_where=sa.text("customer_phone <> ''"),
            postgresql_where=sa.text("customer_phone <> ''"),
        )
        batch_op.drop_index("ix_orders_id")
        batch_op.drop_index("ix_orders_contact")

    op.drop_table("orders")
    op.drop_table("order_sequences")
    op.drop_table("order_events")
    with op.batch_alter_table("options", schema=None) as batch_op:
        batch_op.drop_index("ix_options_group")

    op.drop_table("options")
    op.drop_table("option_groups")
    with op.batch_alter_table("menu_items", schema=None) as batch_op:
        batch_op.drop_index("ix_menu_items_venue")

    op.drop_table("menu_items")
    with op.batch_alter_table("menu_images", schema=None) as batch_op:
        batch_op.drop_index("ix_menu_images_id")

    op.drop_table("menu_images")
    with op.batch_alter_table("menu_categories", schema=None) as batch_op:
        batch_op.drop_index("ix_menu_categories_venue")

    op.drop_table("menu_categories")
    with op.batch_alter_table("item_option_groups", schema=None) as batch_op:
        batch_op.drop_index("ix_item_option_groups_venue")

    op.drop_table("item_option_groups")
    with op.batch_alter_table("carts", schema=None) as batch_op:
        batch_op.drop_index("uq_carts_holder")
        batch_op.drop_index("ix_carts_tab")
        batch_op.drop_index(
            "ix_carts_open", sqlite_where=sa.text("state = 'open'"), postgresql_where=sa.text("state = 'open'")
        )
        batch_op.drop_index(
            "ix_carts_asked",
            sqlite_where=sa.text("state = 'open' and phone <> ''"),
            postgresql_where=sa.text("state = 'open' and phone <> ''"),
        )

    op.drop_table("carts")
