"""lines by a phone's own number: their sessions, their codes, and what somebody wants of them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default=sa.text("''"), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), server_default="0", nullable=False)


def upgrade() -> None:
    op.create_table(
        "linked_lines",
        sa.Column("account_id", sa.BigInteger(), nullable=False),
        sa.Column("instance_id", sa.BigInteger(), nullable=False),
        _text("session"),
        _text("ended"),
        _text("wish"),
        _text("wish_phone"),
        _number("wish_at"),
        _text("code"),
        _number("code_until"),
        _text("typed"),
        _number("typed_until"),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "instance_id", name=op.f("pk_linked_lines")),
    )


def downgrade() -> None:
    op.drop_table("linked_lines")
