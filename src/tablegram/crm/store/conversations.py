"""Statements on what people did with conversations. A conversation without a row is open, nobody's and unseen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Executable, and_, bindparam, case, delete, func, or_, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import contacts, conversations, messages

c, v, m = contacts.c, conversations.c, messages.c

# So many of the newest conversations are looked at for the figure beside the inbox.
REACH = 2_000

_JOINED = contacts.outerjoin(conversations, and_(v.account_id == c.account_id, v.contact_id == c.id))
_OF_CONTACT = and_(v.account_id == bindparam("b_account"), v.contact_id == bindparam("b_id"))
_UNREAD = c.last_seen_at > func.coalesce(v.seen_until, 0)
_STATES = {
    "open": or_(v.closed_at.is_(None), v.closed_at < c.last_seen_at),
    "closed": and_(v.closed_at.is_not(None), v.closed_at >= c.last_seen_at),
}
_OWNERS = {"nobody": v.assigned_to.is_(None), "member": v.assigned_to == bindparam("member")}


@cache
def page(state: str, owner: str, *, unread: bool, after: bool) -> Query:
    """Conversations with those who have written, the last writers first."""
    conditions: list[ColumnElement[bool]] = [
        c.account_id == bindparam("b_account"),
        c.window_until.is_not(None),
        c.merged_into.is_(None),
    ]
    if state in _STATES:
        conditions.append(_STATES[state])
    if owner in _OWNERS:
        conditions.append(_OWNERS[owner])
    if unread:
        conditions.append(_UNREAD)
    if after:
        conditions += [
            c.last_seen_at <= bindparam("at"),
            or_(c.last_seen_at < bindparam("at"), c.id < bindparam("id")),
        ]
    return Query(
        select(contacts, v.seen_until, v.assigned_to, v.closed_at)
        .select_from(_JOINED)
        .where(*conditions)
        .order_by(c.last_seen_at.desc(), c.id.desc())
        .limit(bindparam("most"))
    )


GET = Query(
    select(contacts, v.seen_until, v.assigned_to, v.closed_at)
    .select_from(_JOINED)
    .where(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"))
)

_newest = (
    select(c.account_id, c.id, c.last_seen_at)
    .where(c.account_id == bindparam("b_account"), c.window_until.is_not(None), c.merged_into.is_(None))
    .order_by(c.last_seen_at.desc(), c.id.desc())
    .limit(REACH)
    .subquery("newest")
)
_unread_of_newest = (
    select(_newest.c.id)
    .select_from(
        _newest.outerjoin(conversations, and_(v.account_id == bindparam("b_account"), v.contact_id == _newest.c.id))
    )
    .where(
        _newest.c.last_seen_at > func.coalesce(v.seen_until, 0),
        or_(v.closed_at.is_(None), v.closed_at < _newest.c.last_seen_at),
    )
    .limit(bindparam("most"))
    .subquery("unread")
)
COUNT_UNREAD = Query(select(func.count().label("n")).select_from(_unread_of_newest))

# Only the last messages of an address are looked at, however long the conversation is.
_last = (
    select(m.direction, m.created_at)
    .where(m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"))
    .order_by(m.id.desc())
    .limit(bindparam("most"))
    .subquery("last")
)
COUNT_NEWER = Query(
    select(func.count().label("n"), bindparam("b_id", type_=c.id.type).label("contact_id"))
    .select_from(_last)
    .where(_last.c.direction == "in", _last.c.created_at > bindparam("seen"))
)


def _upsert(**changes: str) -> Query:
    """Write one thing about a conversation and leave what others wrote about it."""

    def build(dialect_insert: Callable[..., Any]) -> Executable:
        statement = dialect_insert(conversations).values(columns(conversations))
        new = statement.excluded
        changed = {
            name: case((new[name] > v[name], new[name]), else_=v[name]) if kind == "larger" else new[name]
            for name, kind in changes.items()
        }
        changed |= {"updated_at": new.updated_at, "updated_by": new.updated_by}
        built: Executable = statement.on_conflict_do_update(index_elements=["account_id", "contact_id"], set_=changed)
        return built

    return Query(build)


SEEN = _upsert(seen_until="larger")
UNSEEN = _upsert(seen_until="new")
ASSIGN = _upsert(assigned_to="new")
CLOSE = _upsert(closed_at="new", seen_until="larger")
REOPEN = _upsert(closed_at="new")

# Nothing older was unread, so that nothing is passed over.
SEEN_ON = Query(
    update(conversations)
    .where(
        _OF_CONTACT,
        v.seen_until >= bindparam("previous"),
        v.seen_until < bindparam("seen"),
    )
    .values(seen_until=bindparam("seen"), updated_at=bindparam("now"))
)

FORGET = Query(delete(conversations).where(_OF_CONTACT))
# Of two contacts that become one, the one that stays keeps what people did with it; else it takes the other's.
MOVE = Query(
    lambda dialect_insert: (
        dialect_insert(conversations)
        .from_select(
            [column.name for column in conversations.columns],
            select(
                v.account_id,
                bindparam("target", type_=v.contact_id.type),
                v.seen_until,
                v.assigned_to,
                v.closed_at,
                v.updated_at,
                v.updated_by,
            ).where(_OF_CONTACT),
        )
        .on_conflict_do_nothing()
    )
)
