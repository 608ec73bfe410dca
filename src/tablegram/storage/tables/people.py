"""People who sign in: who they are, where they are signed in, the links sent to them, and what was done by whom."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Index, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

# One row a person, whatever number of accounts they are a member of.
people = Table(
    "people",
    metadata,
    text("id", primary_key=True),
    text("email"),
    text("name"),
    # Empty until the first link was used.
    optional_text("password_hash"),
    # Sealed; empty without a second factor.
    optional_text("totp_secret"),
    # The time step of the last code that was used: a code works once.
    number("totp_step", 0),
    # Empty: whatever the browser asks for.
    text("language"),
    # Runs the installation itself, beside being a member of accounts.
    flag("is_operator"),
    time_ms("password_changed_at", nullable=True),
    time_ms("created_at"),
    UniqueConstraint("email"),
)

recovery_codes = Table(
    "recovery_codes",
    metadata,
    text("person_id"),
    # Peppered; the code itself was shown once.
    text("hash"),
    time_ms("used_at", nullable=True),
    PrimaryKeyConstraint("person_id", "hash"),
)

panel_sessions = Table(
    "panel_sessions",
    metadata,
    # The cookie itself is never stored.
    text("token_hash", primary_key=True),
    text("person_id"),
    # The account that is being looked at; 0 for an operator who is member of none.
    number("account_id"),
    text("member_id"),
    time_ms("created_at"),
    time_ms("last_seen_at"),
    time_ms("expires_at"),
    # Whether the second factor was shown, or none is asked for.
    flag("passed_second"),
    text("remote"),
    text("user_agent"),
)
Index("ix_panel_sessions_person", panel_sessions.c.person_id)
Index("ix_panel_sessions_expires", panel_sessions.c.expires_at)

panel_links = Table(
    "panel_links",
    metadata,
    text("token_hash", primary_key=True),
    text("purpose"),
    number("account_id", nullable=True),
    text("email"),
    optional_text("role"),
    time_ms("expires_at"),
    time_ms("used_at", nullable=True),
    time_ms("created_at"),
    text("created_by"),
    CheckConstraint("purpose in ('owner', 'invite', 'reset')", name="purpose"),
)
Index("ix_panel_links_email", panel_links.c.email)

audit_log = Table(
    "audit_log",
    metadata,
    number("account_id"),
    text("id"),
    text("actor_kind"),
    text("actor_id"),
    text("actor_name"),
    # What was done, such as contact.erased.
    text("action"),
    text("object_kind"),
    text("object_id"),
    # JSON; never a secret and nothing about a customer beyond their id.
    text("detail"),
    text("remote"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("actor_kind in ('person', 'key', 'command', 'system')", name="actor_kind"),
)
# Who did it, what was done, and what it was done to, newest first.
Index("ix_audit_log_actor", audit_log.c.account_id, audit_log.c.actor_id, audit_log.c.id)
Index("ix_audit_log_action", audit_log.c.account_id, audit_log.c.action, audit_log.c.id)
Index("ix_audit_log_object", audit_log.c.account_id, audit_log.c.object_id, audit_log.c.id)
