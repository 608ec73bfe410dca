"""the foundation: accounts, lines, messages, engine"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "charges",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount_micros", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "message_key", "kind", name=op.f("pk_charges")),
    )
    op.create_table(
        "idempotency",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("route", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=True),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "route", "key", name=op.f("pk_idempotency")),
    )
    with op.batch_alter_table("idempotency", schema=None) as batch_op:
        batch_op.create_index("ix_idempotency_created_at", ["created_at"], unique=False)

    op.create_table(
        "inbox",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbox")),
        sa.UniqueConstraint("source", "external_id", name=op.f("uq_inbox_source_external_id")),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_inbox_pending",
            ["due_at", "id"],
            unique=False,
            sqlite_where=sa.text("done_at is null"),
            postgresql_where=sa.text("done_at is null"),
        )

    op.create_table(
        "installation",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_installation")),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "messages",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.Column("phone", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("priority", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("claimed_by", sa.Text(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("doubt_at", sa.BigInteger(), nullable=True),
        sa.Column("network_id", sa.Text(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_detail", sa.Text(), nullable=True),
        sa.Column("error_network_code", sa.BigInteger(), nullable=True),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("cost_micros", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("cost_final_micros", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("delivered_at", sa.BigInteger(), nullable=True),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("direction in ('in', 'out')", name=op.f("ck_messages_direction")),
        sa.CheckConstraint(
            "state in ('queued', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'received')",
            name=op.f("ck_messages_state"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_messages")),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_phone", ["account_id", "phone", "id"], unique=False)
        batch_op.create_index(
            "ix_messages_queue",
            ["instance_id", "priority", "due_at", "id"],
            unique=False,
            sqlite_where=sa.text("due_at is not null"),
            postgresql_where=sa.text("due_at is not null"),
        )
        batch_op.create_index(
            "ix_messages_claimed",
            ["claimed_by"],
            unique=False,
            sqlite_where=sa.text("claimed_by is not null"),
            postgresql_where=sa.text("claimed_by is not null"),
        )
        batch_op.create_index(
            "uq_messages_network_id",
            ["account_id", "network_id", "instance_id"],
            unique=True,
            sqlite_where=sa.text("network_id is not null"),
            postgresql_where=sa.text("network_id is not null"),
        )

    op.create_table(
        "owners",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("started_ticks", sa.BigInteger(), nullable=False),
        sa.Column("heartbeat_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owners")),
    )
    op.create_table(
        "plans",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("free_messages", sa.BigInteger(), nullable=False),
        sa.Column("free_hours", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_plans")),
    )
    op.create_table(
        "request_log",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("request_id", sa.Text(), nullable=False),
        sa.Column("key_id", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("duration_us", sa.BigInteger(), nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_request_log")),
    )
    with op.batch_alter_table("request_log", schema=None) as batch_op:
        batch_op.create_index("ix_request_log_account_id_request_id", ["account_id", "request_id"], unique=False)

    op.create_table(
        "templates",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("category", sa.Text(), nullable=False),
        sa.Column("components", sa.Text(), nullable=False),
        sa.Column("synced_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "instance_id", "name", "language", name=op.f("pk_templates")),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("balance_micros", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("quota_started_at", sa.BigInteger(), nullable=True),
        sa.Column("quota_used", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("rate_limit_milli", sa.BigInteger(), nullable=True),
        sa.Column("rate_burst", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('active', 'suspended')", name=op.f("ck_accounts_state")),
        sa.ForeignKeyConstraint(["plan"], ["plans.name"], name=op.f("fk_accounts_plan")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
    )
    op.create_table(
        "api_keys",
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("mode in ('live', 'test')", name=op.f("ck_api_keys_mode")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_api_keys_account_id")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_api_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_keys_hash")),
    )
    op.create_table(
        "instances",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("state_at", sa.BigInteger(), nullable=False),
        sa.Column("is_default", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("hook_key", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("secrets", sa.Text(), nullable=False),
        sa.Column("pace_milli", sa.BigInteger(), nullable=True),
        sa.Column("paused_until", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind in ('cloud', 'linked', 'sandbox')", name=op.f("ck_instances_kind")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_instances_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instances")),
        sa.UniqueConstraint("hook_key", name=op.f("uq_instances_hook_key")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("instances", schema=None) as batch_op:
        batch_op.create_index("ix_instances_account_id", ["account_id"], unique=False)
        batch_op.create_index(
            "uq_instances_default",
            ["account_id"],
            unique=True,
            sqlite_where=sa.text("is_default = 1"),
            postgresql_where=sa.text("is_default = 1"),
        )

    op.create_table(
        "members",
        sa.Column("account_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "role in ('owner', 'manager', 'staff', 'kitchen', 'developer')", name=op.f("ck_members_role")
        ),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_members_account_id")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_members")),
        sa.UniqueConstraint("account_id", "email", name=op.f("uq_members_account_id_email")),
    )


def downgrade() -> None:
    op.drop_table("members")
    with op.batch_alter_table("instances", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_instances_default", sqlite_where=sa.text("is_default = 1"), postgresql_where=sa.text("is_default = 1")
        )
        batch_op.drop_index("ix_instances_account_id")

    op.drop_table("instances")
    op.drop_table("api_keys")
    op.drop_table("accounts")
    op.drop_table("templates")
    with op.batch_alter_table("request_log", schema=None) as batch_op:
        batch_op.drop_index("ix_request_log_account_id_request_id")

    op.drop_table("request_log")
    op.drop_table("plans")
    op.drop_table("owners")
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_messages_network_id",
            sqlite_where=sa.text("network_id is not null"),
            postgresql_where=sa.text("network_id is not null"),
        )
        batch_op.drop_index("ix_messages_claimed")
        batch_op.drop_index("ix_messages_queue")
        batch_op.drop_index("ix_messages_phone")

    op.drop_table("messages")
    op.drop_table("leases")
    op.drop_table("installation")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_inbox_pending", sqlite_where=sa.text("done_at is null"), postgresql_where=sa.text("done_at is null")
        )

    op.drop_table("inbox")
    with op.batch_alter_table("idempotency", schema=None) as batch_op:
        batch_op.drop_index("ix_idempotency_created_at")

    op.drop_table("idempotency")
    op.drop_table("charges")
