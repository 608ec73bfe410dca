"""Campaigns, whom they reach, the links in them and who followed those."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

campaigns = Table(
    "campaigns",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    text("state"),
    # Why it stopped by itself, by a stable code.
    text("reason"),
    # Empty: everybody.
    text("segment_id"),
    # The account's usual line where it names none.
    number("instance_id", nullable=True),
    # JSON: what is written, when, and within which limits.
    text("plan"),
    # When the engine looks at it next; empty while nothing is to be done.
    time_ms("due_at", nullable=True),
    # The last contact that has a row, and whether everybody has one.
    text("behind"),
    flag("is_listed"),
    number("total", 0),
    time_ms("starts_at", nullable=True),
    time_ms("started_at", nullable=True),
    time_ms("ended_at", nullable=True),
    # When the network was last asked about in vain: after that nothing more is awaited of it.
    time_ms("settled_at", nullable=True),
    text("created_by"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint(
        "state in ('draft', 'scheduled', 'running', 'held', 'paused', 'cancelled', 'finished', 'stopped', 'missed')",
        name="state",
    ),
)
Index(
    "ix_campaigns_due",
    campaigns.c.due_at,
    where="due_at is not null",
)

# One row for a campaign and a contact: who has one is never written to a second time.
campaign_sends = Table(
    "campaign_sends",
    metadata,
    number("account_id"),
    text("campaign_id"),
    text("contact_id"),
    # Which of the texts; -1 for who is left out to compare with.
    number("arm"),
    text("state"),
    # Why it was skipped, why it waits, or what the network said.
    text("reason"),
    # Not before then; only of what waits.
    time_ms("due_at", nullable=True),
    optional_text("message_key"),
    # Names this row in short links.
    optional_text("code"),
    # When the message was queued; of who is left out, when it would have been.
    time_ms("at", nullable=True),
    time_ms("replied_at", nullable=True),
    time_ms("opted_out_at", nullable=True),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "campaign_id", "contact_id"),
    CheckConstraint(
        "state in ('waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'skipped', 'holdout')", name="state"
    ),
    CheckConstraint("(state = 'waiting') = (due_at is not null)", name="due"),
)
Index(
    "ix_campaign_sends_due",
    campaign_sends.c.account_id,
    campaign_sends.c.campaign_id,
    campaign_sends.c.due_at,
    campaign_sends.c.contact_id,
    where="due_at is not null",
)
# Begin as the key does. A server that has not counted the rows yet would take them for it, so there they hold only what is
# looked for by them.
Index(
    "ix_campaign_sends_state",
    campaign_sends.c.account_id,
    campaign_sends.c.campaign_id,
    campaign_sends.c.state,
    where="state in ('queued', 'sent', 'delivered')",
    of=("postgresql",),
)
Index(
    "ix_campaign_sends_at",
    campaign_sends.c.account_id,
    campaign_sends.c.campaign_id,
    campaign_sends.c.at,
    where="at is not null",
    of=("postgresql",),
)
# Who got nothing, and whom nothing reached; a message that arrives is never in it.
Index(
    "ix_campaign_sends_unsent",
    campaign_sends.c.account_id,
    campaign_sends.c.campaign_id,
    campaign_sends.c.state,
    campaign_sends.c.contact_id,
    where="state in ('failed', 'skipped', 'holdout')",
)
# Why they got nothing, or wait; what goes its way has none.
Index(
    "ix_campaign_sends_reason",
    campaign_sends.c.account_id,
    campaign_sends.c.campaign_id,
    campaign_sends.c.reason,
    campaign_sends.c.contact_id,
    where="reason <> ''",
)
Index("ix_campaign_sends_contact", campaign_sends.c.account_id, campaign_sends.c.contact_id, campaign_sends.c.at)
Index("uq_campaign_sends_code", campaign_sends.c.code, unique=True)

campaign_links = Table(
    "campaign_links",
    metadata,
    number("account_id"),
    text("campaign_id"),
    number("number"),
    text("url"),
    PrimaryKeyConstraint("account_id", "campaign_id", "number"),
)

campaign_clicks = Table(
    "campaign_clicks",
    metadata,
    number("account_id"),
    text("campaign_id"),
    text("contact_id"),
    number("number"),
    number("clicks"),
    time_ms("first_at"),
    time_ms("last_at"),
    PrimaryKeyConstraint("account_id", "campaign_id", "contact_id", "number"),
)
