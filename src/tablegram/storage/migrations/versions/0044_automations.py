"""automations, their versions, runs, steps and ratings; whom a day is for, found by an index"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

_DUE, _SWEEP = sa.text("due_at is not null"), sa.text("sweep_at is not null")
_OPEN, _BORN = sa.text("is_open = 1"), sa.text("birthday <> ''")


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _flag(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger(), server_default="0", nullable=False)


def _some(name: str, table: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def upgrade() -> None:
    op.create_table(
        "automations",
        _number("account_id"),
        _text("id"),
        _text("name"),
        _text("state"),
        _text("trigger_kind"),
        _number("version"),
        _number("instance_id", nullable=True),
        _number("on_since", nullable=True),
        _number("sweep_at", nullable=True),
        _text("created_by"),
        _number("created_at"),
        _number("updated_at"),
        sa.CheckConstraint("state in ('draft', 'on', 'paused', 'archived')", name=op.f("ck_automations_state")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_automations")),
    )
    _some("ix_automations_sweep", "automations", ["sweep_at"], _SWEEP)
    op.create_index("ix_automations_trigger", "automations", ["account_id", "trigger_kind", "state"])
    op.create_table(
        "automation_versions",
        _number("account_id"),
        _text("automation_id"),
        _number("version"),
        _text("definition"),
        _text("created_by"),
        _number("created_at"),
        sa.PrimaryKeyConstraint("account_id", "automation_id", "version", name=op.f("pk_automation_versions")),
    )
    _runs()
    _visits()
    _ratings()
    _some("ix_contacts_birthday", "contacts", ["account_id", "birthday", "id"], _BORN)
    op.create_index("ix_customer_figures_last", "customer_figures", ["account_id", "last_at", "contact_id"])


def _runs() -> None:
    op.create_table(
        "automation_runs",
        _number("account_id"),
        _text("id"),
        _text("automation_id"),
        _number("version"),
        _text("contact_id"),
        _text("occasion"),
        _text("state"),
        _text("reason"),
        _number("step"),
        _number("due_at", nullable=True),
        _text("venue_id"),
        _text("order_id"),
        _text("coupon_code"),
        _number("started_at"),
        _number("ended_at", nullable=True),
        sa.CheckConstraint("state in ('waiting', 'finished', 'stopped')", name=op.f("ck_automation_runs_state")),
        sa.CheckConstraint("(state = 'waiting') = (due_at is not null)", name=op.f("ck_automation_runs_due")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_automation_runs")),
        sa.UniqueConstraint(
            "account_id", "automation_id", "contact_id", "occasion",
            name=op.f("uq_automation_runs_account_id_automation_id_contact_id_occasion"),
        ),
    )  # fmt: skip
    _some("ix_automation_runs_due", "automation_runs", ["due_at", "id"], _DUE)
    op.create_index("ix_automation_runs_contact", "automation_runs", ["account_id", "contact_id"])
    op.create_index("ix_automation_runs_page", "automation_runs", ["account_id", "automation_id", "id"])


def _visits() -> None:
    op.create_table(
        "automation_visits",
        _number("account_id"),
        _text("run_id"),
        _number("step"),
        _text("automation_id"),
        _number("version"),
        _text("contact_id"),
        _text("kind"),
        _text("state"),
        _text("reason"),
        _text("message_key", nullable=True),
        _flag("is_marketing"),
        _number("at"),
        sa.CheckConstraint("state in ('done', 'sent', 'skipped', 'left')", name=op.f("ck_automation_visits_state")),
        sa.PrimaryKeyConstraint("account_id", "run_id", "step", name=op.f("pk_automation_visits")),
    )
    op.create_index("ix_automation_visits_automation", "automation_visits", ["account_id", "automation_id", "step"])
    op.create_index("ix_automation_visits_contact", "automation_visits", ["account_id", "contact_id", "at"])


def _ratings() -> None:
    op.create_table(
        "automation_ratings",
        _number("account_id"),
        _text("run_id"),
        _text("automation_id"),
        _number("version"),
        _number("step"),
        _text("contact_id"),
        _text("venue_id"),
        _text("order_id"),
        _number("rating", nullable=True),
        _text("comment"),
        _flag("is_open"),
        _text("closed_by"),
        _number("closed_at", nullable=True),
        _number("asked_at"),
        _number("answered_at", nullable=True),
        sa.CheckConstraint(
            "rating is null or (rating >= 1 and rating <= 5)", name=op.f("ck_automation_ratings_rating")
        ),
        sa.PrimaryKeyConstraint("account_id", "run_id", name=op.f("pk_automation_ratings")),
    )
    op.create_index("ix_automation_ratings_contact", "automation_ratings", ["account_id", "contact_id", "asked_at"])
    op.create_index(
        "ix_automation_ratings_automation", "automation_ratings", ["account_id", "automation_id", "answered_at"]
    )
    _some("ix_automation_ratings_open", "automation_ratings", ["account_id"], _OPEN)


def downgrade() -> None:
    op.drop_index("ix_customer_figures_last", table_name="customer_figures")
    op.drop_index("ix_contacts_birthday", table_name="contacts")
    for name in ("ratings", "visits", "runs", "versions"):
        op.drop_table(f"automation_{name}")
    op.drop_table("automations")
