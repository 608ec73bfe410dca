"""Statements on what people did with conversations. A conversation without a row is open, nobody's and unseen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    FromClause,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    null,
    or_,
    select,
    update,
)

from tablegram.crm.rows import ConversationRow, Counted, RestedRow, UnreadOf, WaitingConversation, WaitingSince
from tablegram.storage.database import Query
from tablegram.storage.query import columns, read_by, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import contact_aliases, contacts, conversations, messages
from tablegram.values.authors import NO_ANSWER

c, v, m, al = contacts.c, conversations.c, messages.c, contact_aliases.c

# So many of the newest open conversations are looked at for those that wait.
REACH = 2_000

_JOINED = contacts.outerjoin(conversations, and_(v.account_id == c.account_id, v.contact_id == c.id))
_OF_CONTACT = and_(v.account_id == bindparam("b_account"), v.contact_id == bindparam("b_id"))
_IN_INBOX = and_(c.account_id == bindparam("b_account"), c.window_until.is_not(None), c.merged_into.is_(None))
# A customer who is seen again wakes the conversation before its time.
_AWAKE = or_(v.snoozed_until.is_(None), v.snoozed_until <= bindparam("now"), v.snoozed_seen < c.last_seen_at)
_RESTS = and_(
    v.account_id == bindparam("b_account"), v.snoozed_until > bindparam("now"), v.snoozed_seen >= c.last_seen_at
)
_SHOWN = (contacts, v.seen_until, v.assigned_to, v.closed_at, v.snoozed_until, v.snoozed_seen)
_OWNERS = {"": (), "nobody": (c.inbox_owner.is_(None),), "member": (c.inbox_owner == bindparam("member"),)}


def _in_state(state: str, closed: ColumnElement[int]) -> tuple[ColumnElement[bool], ...]:
    is_closed, is_not = c.last_seen_at <= closed, c.last_seen_at > closed
    # `running`: open or resting.
    return {
        "open": (is_not, _AWAKE), "closed": (is_closed,), "snoozed": (is_not, _RESTS), "running": (is_not,), "all": (),
    }[state]  # fmt: skip


@cache
def page(state: str, owner: str, *, unread: bool, after: bool) -> Query[ConversationRow]:
    """Conversations with those who have written, the last writers first."""
    # Few rest at any time: they are looked for among themselves, and then put in order.
    at, key = (c.last_seen_at + 0, told_apart(c.id)) if state == "snoozed" else (c.last_seen_at, c.id)
    shown = _listed(state, owner, unread=unread)
    if after:
        shown = shown.where(at <= bindparam("at"), or_(at < bindparam("at"), key < bindparam("id")))
    return Query(shown.order_by(at.desc(), key.desc()).limit(bindparam("most")), row=ConversationRow)


def _listed(state: str, owner: str, *, unread: bool = False) -> Select[Any]:
    # What is in the words of an index may be read by it. A server cannot tell which of two has fewer rows that fit.
    by_unread = unread and not owner
    closed = c.inbox_closed + 0 if by_unread else c.inbox_closed
    seen = c.inbox_seen if by_unread else c.inbox_seen + 0
    narrowed = (*_in_state(state, closed), *_OWNERS[owner], *((c.last_seen_at > seen,) if unread else ()))
    shown = select(*_SHOWN).select_from(_JOINED).where(_IN_INBOX, *narrowed)
    if state == "snoozed":
        return read_by("ix_conversations_snoozed", conversations, shown)
    if by_unread:
        return read_by("ix_contacts_unread", contacts, shown)
    if owner:
        return read_by("ix_contacts_done" if state == "closed" else "ix_contacts_owned", contacts, shown)
    index = {"open": "ix_contacts_open", "closed": "ix_contacts_closed"}.get(state, "ix_contacts_wrote")
    return read_by(index, contacts, shown)


# Since when a customer waits for an answer: the first of their messages behind the last one that answered them. Each of their
# names is looked at from its newest message on, so that a long conversation costs no more than a short one.
_names, _sent = contact_aliases.alias("names"), messages.alias("sent")
_answer = (
    select(_sent.c.id)
    .where(
        _names.c.account_id == bindparam("b_account"),
        _sent.c.account_id == bindparam("b_account"),
        _sent.c.phone == _names.c.value,
        told_apart(_sent.c.direction) == "out",
        _sent.c.state.not_in(["failed", "cancelled"]),
        or_(_sent.c.sent_by.is_(None), _sent.c.sent_by.not_in(NO_ANSWER)),
    )
    .order_by(_sent.c.id.desc())
    # No value: those of many people may come together, and then no value is a number.
    .limit(literal_column("1"))
    .correlate(_names)
    .scalar_subquery()
)


def _waiting_since(whose: FromClause) -> ColumnElement[Any]:
    mine = whose.c.account_id == bindparam("b_account")
    last = (
        select(func.max(_answer))
        .select_from(_names)
        .where(mine, _names.c.account_id == bindparam("b_account"), _names.c.contact_id == whose.c.id)
        .correlate(whose)
        .scalar_subquery()
    )
    first = (
        select(func.min(m.created_at))
        .select_from(contact_aliases.join(messages, and_(m.account_id == al.account_id, m.phone == al.value)))
        .where(
            mine,
            al.account_id == bindparam("b_account"),
            al.contact_id == whose.c.id,
            m.account_id == bindparam("b_account"),
            m.id > func.coalesce(last, ""),
            told_apart(m.direction) == "in",
            m.type != "reaction",
        )
        .correlate(whose)
    )
    # A file would look for the smallest time along all messages of the account, for each customer who waits for nothing.
    return read_by("ix_messages_phone", messages, first).scalar_subquery()


@cache
def waiting(owner: str, *, after: bool) -> Query[WaitingConversation]:
    """Of the newest open conversations those whose customer waits, who waits longest first."""
    newest = _listed("open", owner).order_by(c.last_seen_at.desc(), c.id.desc()).limit(REACH).subquery("newest")
    timed = select(newest, _waiting_since(newest).label("waiting_since")).subquery("timed")
    since = timed.c.waiting_since
    wanted: list[ColumnElement[bool]] = [since.is_not(None)]
    if after:
        wanted.append(or_(since > bindparam("at"), and_(since == bindparam("at"), timed.c.id > bindparam("id"))))
    return Query(
        select(timed).where(*wanted).order_by(since, timed.c.id).limit(bindparam("most")), row=WaitingConversation
    )


WAITING_SINCE = Query(
    select(c.id, _waiting_since(contacts).label("waiting_since")).where(
        c.account_id == bindparam("b_account"), c.id == bindparam("b_id")
    ),
    row=WaitingSince,
    bulk=True,
)

_one = select(*_SHOWN).select_from(_JOINED).where(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"))
GET = Query(_one, row=ConversationRow)
# The contact comes first, as when its customer writes: the store copies to it what is written of the conversation.
LOCK = Query(_one.with_for_update(of=contacts), row=ConversationRow)

_unread_and_open = _listed("open", "", unread=True).limit(bindparam("most")).subquery("unread")
COUNT_UNREAD = Query(select(func.count().label("n")).select_from(_unread_and_open), row=Counted)

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
    .where(_last.c.direction == "in", _last.c.created_at > bindparam("seen")),
    row=UnreadOf,
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
CLOSE = _upsert(closed_at="new", seen_until="larger", snoozed_until="new", snoozed_seen="new")
REOPEN = _upsert(closed_at="new", snoozed_until="new", snoozed_seen="new")
# What rests is not closed, and what was shown of it was seen.
SNOOZE = _upsert(closed_at="new", seen_until="larger", snoozed_until="new", snoozed_seen="new")

# What has rested long enough, oldest first, and how it wakes. It is unread again unless its customer woke it before.
RESTED = Query(
    across_accounts(
        select(v.account_id, v.contact_id, v.snoozed_until)
        .where(v.snoozed_until <= bindparam("now"))
        .order_by(v.snoozed_until)
        .limit(bindparam("most")),
        "the engine works for every account",
    ),
    row=RestedRow,
)
_sight = (
    select(c.last_seen_at).where(c.account_id == bindparam("b_account"), c.id == bindparam("b_id")).scalar_subquery()
)
WAKE = Query(
    update(conversations)
    .where(_OF_CONTACT, v.snoozed_until <= bindparam("now"))
    .values(
        seen_until=case((and_(v.snoozed_seen >= _sight, _sight > 0), _sight - 1), else_=v.seen_until),
        snoozed_until=null(),
        snoozed_seen=null(),
        updated_at=bindparam("now"),
    )
)

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
                v.snoozed_until,
                v.snoozed_seen,
            ).where(_OF_CONTACT),
        )
        .on_conflict_do_nothing()
    )
)
