"""what people did with a conversation stands beside who wrote last, so that each list of the inbox has an index"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None
quiet = ("contacts", "conversations")
# Columns come to it, and who reads it meanwhile waits as well.
closed = ("contacts",)

_IN_INBOX = "window_until is not null and merged_into is null"
_INDEXES = {
    "unread": ([], "last_seen_at > inbox_seen"),
    "open": ([], "last_seen_at > inbox_closed"),
    "closed": ([], "last_seen_at <= inbox_closed"),
    "owned": (["inbox_owner"], "last_seen_at > inbox_closed"),
    "done": (["inbox_owner"], "last_seen_at <= inbox_closed"),
}
# The store copies it, whichever version of the program writes to `conversations`; what a customer's message or a rest that ends
# changes there is often none of it.
_COPY = """
update contacts set inbox_seen = new.seen_until, inbox_closed = coalesce(new.closed_at, 0), inbox_owner = new.assigned_to
where account_id = new.account_id and id = new.contact_id
and (inbox_seen, inbox_closed, coalesce(inbox_owner, ''))
 <> (new.seen_until, coalesce(new.closed_at, 0), coalesce(new.assigned_to, ''))
"""
_CLEAR = """
update contacts set inbox_seen = 0, inbox_closed = 0, inbox_owner = null
where account_id = old.account_id and id = old.contact_id
"""
_TRIGGER = "conversations_to_inbox"


def upgrade() -> None:
    for name in ("inbox_seen", "inbox_closed"):
        op.add_column("contacts", sa.Column(name, sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.add_column("contacts", sa.Column("inbox_owner", sa.Text))
    op.execute(
        """
        update contacts set inbox_seen = v.seen_until, inbox_closed = coalesce(v.closed_at, 0), inbox_owner = v.assigned_to
        from conversations as v where v.account_id = contacts.account_id and v.contact_id = contacts.id
        """
    )
    for name, (columns, condition) in _INDEXES.items():
        where = sa.text(f"{_IN_INBOX} and {condition}")
        op.create_index(
            f"ix_contacts_{name}",
            "contacts",
            ["account_id", *columns, "last_seen_at", "id"],
            sqlite_where=where,
            postgresql_where=where,
        )
    for statement in _in_file() if op.get_bind().dialect.name == "sqlite" else _in_server():
        op.execute(statement)


def _in_file() -> list[str]:
    return [
        f"create trigger {_TRIGGER}_{when} after {when} on conversations begin {step}; end"
        for when, step in (("insert", _COPY), ("update", _COPY), ("delete", _CLEAR))
    ]


def _in_server() -> list[str]:
    return [
        f"""
        create function {_TRIGGER}() returns trigger language plpgsql as $$
        begin
            if tg_op = 'DELETE' then {_CLEAR}; else {_COPY}; end if;
            return null;
        end $$
        """,
        f"""
        create trigger {_TRIGGER} after insert or update or delete on conversations
        for each row execute function {_TRIGGER}()
        """,
    ]


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for when in ("insert", "update", "delete"):
            op.execute(f"drop trigger {_TRIGGER}_{when}")
    else:
        op.execute(f"drop trigger {_TRIGGER} on conversations")
        op.execute(f"drop function {_TRIGGER}()")
    for name in _INDEXES:
        op.drop_index(f"ix_contacts_{name}", "contacts")
    for name in ("inbox_owner", "inbox_closed", "inbox_seen"):
        op.drop_column("contacts", name)
