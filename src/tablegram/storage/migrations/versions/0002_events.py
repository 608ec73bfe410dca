"""events, endpoints, deliveries, contacts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "auto_replies",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("enabled", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("cooldown_s", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_auto_replies")),
    )
    op.create_table(
        "auto_reply_uses",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("reply_id", sa.Text(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "contact_id", "reply_id", name=op.f("pk_auto_reply_uses")),
    )
    op.create_table(
        "contact_aliases",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "kind", "value", name=op.f("pk_contact_aliases")),
    )
    with op.batch_alter_table("contact_aliases", schema=None) as batch_op:
        batch_op.create_index("ix_contact_aliases_contact", ["account_id", "contact_id"], unique=False)

    op.create_table(
        "contact_terms",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("term", sa.Text().with_variant(sa.Text(collation="C"), "postgresql"), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "term", "contact_id", "source", name=op.f("pk_contact_terms")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("contact_terms", schema=None) as batch_op:
        batch_op.create_index("ix_contact_terms_contact", ["account_id", "contact_id", "term"], unique=False)

    op.create_table(
        "contacts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_is_own", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("tags", sa.Text(), nullable=False),
        sa.Column("notes", sa.Text(), nullable=False),
        sa.Column("consent", sa.Text(), nullable=False),
        sa.Column("consent_at", sa.BigInteger(), nullable=True),
        sa.Column("consent_source", sa.Text(), nullable=False),
        sa.Column("last_instance_id", sa.BigInteger(), nullable=True),
        sa.Column("first_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("window_until", sa.BigInteger(), nullable=True),
        sa.Column("merged_into", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_contacts")),
    )
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.create_index("ix_contacts_seen", ["account_id", "last_seen_at", "id"], unique=False)

    op.create_table(
        "deliveries",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("webhook_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("delivered_at", sa.BigInteger(), nullable=True),
        sa.Column("last_status", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.CheckConstraint("state in ('pending', 'delivered', 'dead')", name=op.f("ck_deliveries_state")),
        sa.PrimaryKeyConstraint("account_id", "webhook_id", "event_id", name=op.f("pk_deliveries")),
    )
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.create_index(
            "ix_deliveries_pending",
            ["account_id", "webhook_id", "event_id"],
            unique=False,
            sqlite_where=sa.text("state = 'pending'"),
            postgresql_where=sa.text("state = 'pending'"),
        )

    op.create_table(
        "delivery_attempts",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("webhook_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("latency_ms", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "webhook_id", "event_id", "id", name=op.f("pk_delivery_attempts")),
    )
    op.create_table(
        "erasures",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("erased_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "contact_id", name=op.f("pk_erasures")),
    )
    op.create_table(
        "events",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_events")),
        sa.UniqueConstraint("account_id", "id", name=op.f("uq_events_account_id_id")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("ix_events_account_id_seq", ["account_id", "seq"], unique=False)

    op.create_table(
        "media",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("message_key", sa.Text(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("network_media_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("mime_type", sa.Text(), nullable=False),
        sa.Column("claimed_type", sa.Text(), nullable=True),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("path", sa.Text(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("error_detail", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("kept_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state in ('wanted', 'kept', 'failed', 'gone')", name=op.f("ck_media_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_media")),
    )
    with op.batch_alter_table("media", schema=None) as batch_op:
        batch_op.create_index("ix_media_message", ["account_id", "message_key"], unique=False)
        batch_op.create_index(
            "ix_media_wanted",
            ["account_id", "instance_id", "due_at"],
            unique=False,
            sqlite_where=sa.text("state = 'wanted'"),
            postgresql_where=sa.text("state = 'wanted'"),
        )

    op.create_table(
        "webhooks",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("previous_secret", sa.Text(), nullable=True),
        sa.Column("previous_until", sa.BigInteger(), nullable=True),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("warned_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("deleted_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state in ('active', 'disabled')", name=op.f("ck_webhooks_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_webhooks")),
    )


def downgrade() -> None:
    op.drop_table("webhooks")
    with op.batch_alter_table("media", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_media_wanted", sqlite_where=sa.text("state = 'wanted'"), postgresql_where=sa.text("state = 'wanted'")
        )
        batch_op.drop_index("ix_media_message")

    op.drop_table("media")
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.drop_index("ix_events_account_id_seq")

    op.drop_table("events")
    op.drop_table("erasures")
    op.drop_table("delivery_attempts")
    with op.batch_alter_table("deliveries", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_deliveries_pending",
            sqlite_where=sa.text("state = 'pending'"),
            postgresql_where=sa.text("state = 'pending'"),
        )

    op.drop_table("deliveries")
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_index("ix_contacts_seen")

    op.drop_table("contacts")
    with op.batch_alter_table("contact_terms", schema=None) as batch_op:
        batch_op.drop_index("ix_contact_terms_contact")

    op.drop_table("contact_terms")
    with op.batch_alter_table("contact_aliases", schema=None) as batch_op:
        batch_op.drop_index("ix_contact_aliases_contact")

    op.drop_table("contact_aliases")
    op.drop_table("auto_reply_uses")
    op.drop_table("auto_replies")
