"""people who sign in, conversations, imports, who did what"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "audit_log",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("object_kind", sa.Text(), nullable=False),
        sa.Column("object_id", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "actor_kind in ('person', 'key', 'command', 'system')", name=op.f("ck_audit_log_actor_kind")
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_audit_log")),
    )
    op.create_table(
        "canned_replies",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("shortcut", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_canned_replies")),
        sa.UniqueConstraint("account_id", "shortcut", name=op.f("uq_canned_replies_account_id_shortcut")),
    )
    op.create_table(
        "conversations",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("seen_until", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("assigned_to", sa.Text(), nullable=True),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "contact_id", name=op.f("pk_conversations")),
    )
    op.create_table(
        "imports",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("total", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("done", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("skipped", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("errors", sa.Text(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("state in ('checked', 'running', 'done', 'refused')", name=op.f("ck_imports_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_imports")),
    )
    with op.batch_alter_table("imports", schema=None) as batch_op:
        batch_op.create_index(
            "ix_imports_running",
            ["created_at"],
            unique=False,
            sqlite_where=sa.text("state = 'running'"),
            postgresql_where=sa.text("state = 'running'"),
        )

    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.create_index(
            "ix_contacts_wrote",
            ["account_id", "last_seen_at", "id"],
            unique=False,
            sqlite_where=sa.text("window_until is not null"),
            postgresql_where=sa.text("window_until is not null"),
        )

    with op.batch_alter_table("media", schema=None) as batch_op:
        batch_op.create_index(
            "ix_media_path",
            ["account_id", "path"],
            unique=False,
            sqlite_where=sa.text("path is not null"),
            postgresql_where=sa.text("path is not null"),
        )

    op.create_table(
        "panel_links",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=True),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.CheckConstraint("purpose in ('owner', 'invite', 'reset')", name=op.f("ck_panel_links_purpose")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_panel_links")),
    )
    with op.batch_alter_table("panel_links", schema=None) as batch_op:
        batch_op.create_index("ix_panel_links_email", ["email"], unique=False)

    op.create_table(
        "panel_sessions",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("member_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("passed_second", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("remote", sa.Text(), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_panel_sessions")),
    )
    with op.batch_alter_table("panel_sessions", schema=None) as batch_op:
        batch_op.create_index("ix_panel_sessions_expires", ["expires_at"], unique=False)
        batch_op.create_index("ix_panel_sessions_person", ["person_id"], unique=False)

    op.create_table(
        "people",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("totp_secret", sa.Text(), nullable=True),
        sa.Column("totp_step", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("is_operator", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("password_changed_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_people")),
        sa.UniqueConstraint("email", name=op.f("uq_people_email")),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("person_id", "hash", name=op.f("pk_recovery_codes")),
    )
    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.add_column(sa.Column("person_id", sa.Text(), nullable=True))
        batch_op.create_index("ix_members_person", ["person_id"], unique=False)

    with op.batch_alter_table("instances", schema=None) as batch_op:
        batch_op.add_column(sa.Column("handshake_at", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("heard_at", sa.BigInteger(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("instances", schema=None) as batch_op:
        batch_op.drop_column("heard_at")
        batch_op.drop_column("handshake_at")

    with op.batch_alter_table("members", schema=None) as batch_op:
        batch_op.drop_index("ix_members_person")
        batch_op.drop_column("person_id")

    op.drop_table("recovery_codes")
    op.drop_table("people")
    with op.batch_alter_table("panel_sessions", schema=None) as batch_op:
        batch_op.drop_index("ix_panel_sessions_person")
        batch_op.drop_index("ix_panel_sessions_expires")

    op.drop_table("panel_sessions")
    with op.batch_alter_table("panel_links", schema=None) as batch_op:
        batch_op.drop_index("ix_panel_links_email")

    op.drop_table("panel_links")
    with op.batch_alter_table("media", schema=None) as batch_op:
        batch_op.drop_index("ix_media_path")

    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.drop_index("ix_contacts_wrote")

    with op.batch_alter_table("imports", schema=None) as batch_op:
        batch_op.drop_index("ix_imports_running")

    op.drop_table("imports")
    op.drop_table("conversations")
    op.drop_table("canned_replies")
    op.drop_table("audit_log")
