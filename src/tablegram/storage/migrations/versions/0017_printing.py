"""printers, tickets, and the queue of print jobs"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_WAITING = sa.text("state in ('queued', 'claimed')")
_OPEN = sa.text("state in ('queued', 'claimed') or (state = 'failed' and alerted_at is null)")
_HEARD = sa.text("seen_at is not null and removed_at is null")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _number(name: str, default: str | None = None) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default=default, nullable=False)


def _maybe(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=True)


def upgrade() -> None:
    _printers()
    _tickets()
    _print_jobs()


def _printers() -> None:
    op.create_table(
        "printers",
        _number("account_id"),
        _text("id"),
        _text("venue_id"),
        _text("name"),
        _text("kind"),
        _text("key_hash"),
        _text("key_sealed"),
        _text("profile"),
        _text("stations"),
        _text("extras"),
        _number("copies", "1"),
        sa.Column("fallback_id", sa.Text(), nullable=True),
        _number("fallback_after_s", "120"),
        _text("status"),
        _maybe("status_at"),
        _maybe("seen_at"),
        _number("created_at"),
        _number("updated_at"),
        _maybe("removed_at"),
        sa.CheckConstraint(
            "kind in ('cloudprnt', 'epson', 'agent', 'direct', 'browser', 'sandbox')", name=op.f("ck_printers_kind")
        ),
        sa.CheckConstraint("copies between 1 and 5", name=op.f("ck_printers_copies")),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_printers")),
    )
    op.create_index("ix_printers_venue", "printers", ["account_id", "venue_id"])
    op.create_index("ix_printers_seen", "printers", ["seen_at"], sqlite_where=_HEARD, postgresql_where=_HEARD)
    op.create_index("uq_printers_key", "printers", ["key_hash"], unique=True)


def _tickets() -> None:
    op.create_table(
        "tickets",
        _number("account_id"),
        _text("id"),
        _text("venue_id"),
        sa.Column("order_key", sa.Text(), nullable=True),
        _number("revision", "0"),
        _text("station"),
        _text("kind"),
        _number("part", "1"),
        _text("content"),
        _number("created_at"),
        _number("expires_at"),
        sa.CheckConstraint(
            "kind in ('order', 'change', 'void', 'moved', 'pass', 'receipt', 'test')", name=op.f("ck_tickets_kind")
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_tickets")),
        sa.UniqueConstraint(
            "account_id", "order_key", "revision", "station", "kind", "part",
            name=op.f("uq_tickets_account_id_order_key_revision_station_kind_part"),
        ),
    )  # fmt: skip
    op.create_index("ix_tickets_venue", "tickets", ["account_id", "venue_id", "id"])
    op.create_index("ix_tickets_old", "tickets", ["created_at"])


def _print_jobs() -> None:
    op.create_table(
        "print_jobs",
        _number("account_id"),
        _text("id"),
        _text("venue_id"),
        _text("ticket_id"),
        _text("printer_id"),
        _number("copy", "1"),
        _number("reprint", "0"),
        _text("state"),
        _number("attempt", "0"),
        _number("fence", "0"),
        _maybe("lease_until"),
        _text("claimed_by"),
        _number("due_at"),
        _text("error"),
        sa.Column("doubt", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("instead_of", sa.Text(), nullable=True),
        _maybe("alerted_at"),
        _number("created_at"),
        _maybe("claimed_at"),
        _maybe("ended_at"),
        _number("expires_at"),
        sa.CheckConstraint(
            "state in ('queued', 'claimed', 'printed', 'failed', 'expired', 'dropped')",
            name=op.f("ck_print_jobs_state"),
        ),
        sa.PrimaryKeyConstraint("account_id", "id", name=op.f("pk_print_jobs")),
        sa.UniqueConstraint(
            "account_id", "ticket_id", "printer_id", "copy", "reprint",
            name=op.f("uq_print_jobs_account_id_ticket_id_printer_id_copy_reprint"),
        ),
    )  # fmt: skip
    op.create_index(
        "ix_print_jobs_waiting",
        "print_jobs",
        ["account_id", "printer_id", "id"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
    op.create_index(
        "uq_print_jobs_claimed",
        "print_jobs",
        ["account_id", "printer_id"],
        unique=True,
        sqlite_where=sa.text("state = 'claimed'"),
        postgresql_where=sa.text("state = 'claimed'"),
    )
    op.create_index("ix_print_jobs_open", "print_jobs", ["created_at"], sqlite_where=_OPEN, postgresql_where=_OPEN)


def downgrade() -> None:
    op.drop_table("print_jobs")
    op.drop_table("tickets")
    op.drop_table("printers")
