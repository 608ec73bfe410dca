"""Automations, everybody who is on their way through one, each step that was made, and what guests answered."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

automations = Table(
    "automations",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    text("state"),
    # What begins a run, of the newest version; a look by this finds whom an occasion is for.
    text("trigger_kind"),
    number("version"),
    # The usual line where it names none.
    number("instance_id", nullable=True),
    # Since when it is on; what happened before begins nothing.
    time_ms("on_since", nullable=True),
    # When contacts are next looked through, of those that wait for a day.
    time_ms("sweep_at", nullable=True),
    text("created_by"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('draft', 'on', 'paused', 'archived')", name="state"),
)
Index(
    "ix_automations_sweep",
    automations.c.sweep_at,
    where="sweep_at is not null",
)
Index("ix_automations_trigger", automations.c.account_id, automations.c.trigger_kind, automations.c.state)

# What was decided, as JSON. A version never changes; a run ends with the one that it began with.
automation_versions = Table(
    "automation_versions",
    metadata,
    number("account_id"),
    text("automation_id"),
    number("version"),
    text("definition"),
    text("created_by"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "automation_id", "version"),
)

# One row for an automation, a contact and an occasion: the same occasion never begins twice.
automation_runs = Table(
    "automation_runs",
    metadata,
    number("account_id"),
    text("id"),
    text("automation_id"),
    number("version"),
    text("contact_id"),
    # What began it, such as an order, a birthday of a year, or a lapse.
    text("occasion"),
    text("state"),
    # Why it ended before its last step.
    text("reason"),
    # The next step, from 0.
    number("step"),
    # Not before then; only while it is on its way.
    time_ms("due_at", nullable=True),
    # Where it happened, and the order as people call it; empty where there is none.
    text("venue_id"),
    text("order_id"),
    # The code that it gave.
    text("coupon_code"),
    time_ms("started_at"),
    time_ms("ended_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "automation_id", "contact_id", "occasion"),
    CheckConstraint("state in ('waiting', 'finished', 'stopped')", name="state"),
    CheckConstraint("(state = 'waiting') = (due_at is not null)", name="due"),
)
Index(
    "ix_automation_runs_due",
    automation_runs.c.due_at,
    automation_runs.c.id,
    where="due_at is not null",
)
Index("ix_automation_runs_contact", automation_runs.c.account_id, automation_runs.c.contact_id)
Index("ix_automation_runs_page", automation_runs.c.account_id, automation_runs.c.automation_id, automation_runs.c.id)
Index(
    "ix_automation_runs_state",
    automation_runs.c.account_id,
    automation_runs.c.automation_id,
    automation_runs.c.state,
    automation_runs.c.id,
)

# One row for each step that a run has made: nobody makes one twice.
automation_visits = Table(
    "automation_visits",
    metadata,
    number("account_id"),
    text("run_id"),
    number("step"),
    text("automation_id"),
    number("version"),
    text("contact_id"),
    text("kind"),
    text("state"),
    # Why nothing was sent, or why it ended here.
    text("reason"),
    optional_text("message_key"),
    flag("is_marketing"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "run_id", "step"),
    CheckConstraint("state in ('done', 'sent', 'skipped', 'left')", name="state"),
)
Index(
    "ix_automation_visits_automation",
    automation_visits.c.account_id,
    automation_visits.c.automation_id,
    automation_visits.c.step,
)
Index(
    "ix_automation_visits_contact",
    automation_visits.c.account_id,
    automation_visits.c.contact_id,
    automation_visits.c.at,
)

# A question how it was, and its answer.
automation_ratings = Table(
    "automation_ratings",
    metadata,
    number("account_id"),
    text("run_id"),
    text("automation_id"),
    number("version"),
    # Which of the steps asked.
    number("step"),
    text("contact_id"),
    text("venue_id"),
    text("order_id"),
    # Empty until there is an answer.
    number("rating", nullable=True),
    text("comment"),
    # Somebody of the house is to call them.
    flag("is_open"),
    text("closed_by"),
    time_ms("closed_at", nullable=True),
    time_ms("asked_at"),
    time_ms("answered_at", nullable=True),
    PrimaryKeyConstraint("account_id", "run_id"),
    CheckConstraint("rating is null or (rating >= 1 and rating <= 5)", name="rating"),
)
Index(
    "ix_automation_ratings_contact",
    automation_ratings.c.account_id,
    automation_ratings.c.contact_id,
    automation_ratings.c.asked_at,
)
Index(
    "ix_automation_ratings_automation",
    automation_ratings.c.account_id,
    automation_ratings.c.automation_id,
    automation_ratings.c.answered_at,
)
Index(
    "ix_automation_ratings_open",
    automation_ratings.c.account_id,
    where="is_open = 1",
)
