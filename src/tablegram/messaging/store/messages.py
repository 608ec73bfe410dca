"""Statements on messages. Every change of state is a compare-and-set, so that states only move forward."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, exists, func, insert, null, or_, select, update

from tablegram.engine.rows import Backlog
from tablegram.messaging.model import PRIORITIES
from tablegram.messaging.rows.lines import LineDepth, LineName, ReceiptsRow
from tablegram.messaging.rows.messages import (
    Addressed,
    CountedRow,
    DepthRow,
    KeyRow,
    MessageRow,
    NextRow,
    OwnedRow,
    QueueRow,
    RetryRow,
    SaidRow,
    SentRow,
    WordsRow,
)
from tablegram.messaging.store.restoring import CODE
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import instances, messages
from tablegram.values.authors import AUTOMATIC

m = messages.c
_ONE = and_(m.account_id == bindparam("b_account"), m.id == bindparam("b_id"))
_QUEUED = and_(_ONE, m.state == "queued")
# Another process that has claimed the message since knows better than who was frozen meanwhile. Only that it was
# accepted is true whoever says so.
_NOT_ANOTHERS = and_(_QUEUED, or_(m.claimed_by.is_(None), m.claimed_by == bindparam("b_owner")))
_NOT_CLAIMED = {"claimed_by": null(), "claimed_at": null()}

NEW = insert(messages).values(
    columns(
        messages, "account_id", "id", "instance_id", "direction", "phone", "type", "text", "content", "state", "priority", "due_at", "expires_at", "claimed_by", "claimed_at", "category", "cost_micros", "created_at", "sent_by", "trace",
    )
)  # fmt: skip
INSERT = Query(NEW, bulk=True, planned_once=True)

# Outcomes of an attempt.
_ACCEPTED = (
    update(messages)
    .where(_QUEUED)
    .values(
        state="sent",
        network_id=bindparam("new_network_id", type_=m.network_id.type),
        sent_at=bindparam("now"),
        attempts=m.attempts + 1,
        due_at=null(),
        doubt_at=null(),
        error_code=null(),
        error_detail=null(),
        error_network_code=null(),
        **_NOT_CLAIMED,
    )
)
ACCEPTED = Query(_ACCEPTED, bulk=True, planned_once=True)
# The same, for who has to know of which it was news.
ACCEPTED_NOW = Query(_ACCEPTED.returning(m.id), row=KeyRow, bulk=True)
FAILED = Query(
    update(messages)
    .where(_NOT_ANOTHERS)
    .values(
        state="failed",
        failed_at=bindparam("now"),
        attempts=m.attempts + bindparam("tried"),
        due_at=null(),
        doubt_at=null(),
        error_code=bindparam("code"),
        error_detail=bindparam("detail"),
        error_network_code=bindparam("network_code"),
        **_NOT_CLAIMED,
    )
)
DELAYED = Query(
    update(messages)
    .where(_NOT_ANOTHERS)
    .values(
        due_at=bindparam("next_at"),
        attempts=m.attempts + bindparam("tried"),
        doubt_at=null(),
        error_code=bindparam("code"),
        error_detail=bindparam("detail"),
        error_network_code=bindparam("network_code"),
        **_NOT_CLAIMED,
    )
)
# The line itself waits, so the message keeps its place: it is due again as soon as the line is.
DELAYED_BY_LINE = Query(
    update(messages)
    .where(_NOT_ANOTHERS)
    .values(
        due_at=m.created_at,
        attempts=m.attempts + bindparam("tried"),
        doubt_at=null(),
        error_code=bindparam("code"),
        error_detail=bindparam("detail"),
        error_network_code=bindparam("network_code"),
        **_NOT_CLAIMED,
    )
)
IN_DOUBT = Query(
    update(messages)
    .where(_NOT_ANOTHERS)
    .values(
        due_at=bindparam("next_at"),
        doubt_at=bindparam("now"),
        attempts=m.attempts + 1,
        error_code="outcome_unknown",
        error_detail=bindparam("detail"),
        **_NOT_CLAIMED,
    )
)
CANCEL = Query(
    update(messages)
    .where(_QUEUED, m.claimed_by.is_(None), m.doubt_at.is_(None))
    .values(
        state="cancelled",
        due_at=null(),
        failed_at=bindparam("now"),
        error_code="cancelled",
        error_detail="Cancelled before it was sent.",
    )
)

# The queue of a line.
_QUEUE_COLUMNS = (
    m.account_id,
    m.id,
    m.phone,
    m.content,
    m.attempts,
    m.expires_at,
    m.doubt_at,
    m.due_at,
    m.priority,
    m.trace,
)
DUE = Query(
    select(*_QUEUE_COLUMNS)
    .where(
        m.account_id == bindparam("account_id"),
        m.instance_id == bindparam("instance_id"),
        m.state == "queued",
        m.priority == bindparam("b_priority"),
        m.due_at <= bindparam("now"),
    )
    .order_by(m.due_at, m.id)
    .limit(bindparam("most")),
    row=QueueRow,
)
NEXT_DUE = Query(
    select(func.min(m.due_at).label("at")).where(
        m.account_id == bindparam("account_id"),
        m.instance_id == bindparam("instance_id"),
        m.state == "queued",
        m.priority == bindparam("b_priority"),
        m.due_at.is_not(None),
    ),
    row=NextRow,
)
CLAIM = Query(
    update(messages)
    .where(_QUEUED, m.claimed_by.is_(None))
    .values(claimed_by=bindparam("owner"), claimed_at=bindparam("now"), due_at=null())
    .returning(m.id),
    row=KeyRow,
    bulk=True,
)
# Not begun after all; unless it was claimed anew since.
UNCLAIM = Query(
    update(messages)
    .where(_QUEUED, m.claimed_by == bindparam("b_owner"), m.claimed_at == bindparam("b_claimed_at"))
    .values(due_at=m.created_at, **_NOT_CLAIMED)
)
POSTPONE = Query(update(messages).where(_QUEUED, m.claimed_by.is_(None)).values(due_at=bindparam("next_at")))
RETRYING = Query(
    select(m.id, m.phone, m.due_at)
    .where(
        m.account_id == bindparam("account_id"),
        m.instance_id == bindparam("instance_id"),
        m.state == "queued",
        m.attempts > 0,
        m.doubt_at.is_(None),
        m.priority == bindparam("b_priority"),
        m.due_at.is_not(None),
    )
    .limit(10_000),
    row=RetryRow,
)
# What another process has claimed and not concluded. Only who holds the line claims, so that these were the holder's before.
ABROAD = Query(
    select(m.phone)
    .where(
        m.account_id == bindparam("account_id"),
        m.instance_id == bindparam("instance_id"),
        m.state == "queued",
        m.claimed_by.is_not(None),
        m.claimed_by != bindparam("b_owner"),
        m.claimed_at > bindparam("since"),
    )
    .limit(10_000),
    row=Addressed,
)
# Each line's queue is asked for one message: to look for the lines among the messages would be to look at all of these.
_SOMETHING = exists().where(
    m.instance_id == instances.c.id, m.priority.in_(PRIORITIES), m.due_at.is_not(None), m.state == "queued"
)
LINES_WITH_WORK = Query(
    across_accounts(
        select(instances.c.account_id, instances.c.id.label("instance_id")).where(_SOMETHING),
        "the engine works for every account",
    ),
    row=LineName,
)
# Counted in the two small indexes: what waits, and what is being sent right now.
_WAITING = select(func.count()).where(m.due_at.is_not(None))
DEPTH = Query(
    across_accounts(
        select(
            (
                _WAITING.scalar_subquery() + select(func.count()).where(m.claimed_by.is_not(None)).scalar_subquery()
            ).label("queued"),
            _WAITING.where(m.doubt_at.is_not(None)).scalar_subquery().label("in_doubt"),
        ),
        "figures of the installation",
    ),
    row=DepthRow,
)

# What the queues of all lines hold.
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(m.due_at).label("oldest")).where(m.due_at.is_not(None)),
        "figures of the installation",
    ),
    row=Backlog,
)
# The same line by line: those that have waited longest, and no more of them than somebody can look at.
WAITING_BY_LINE = Query(
    across_accounts(
        select(m.instance_id, func.count().label("n"), func.min(m.due_at).label("oldest"))
        .where(m.due_at.is_not(None))
        .group_by(m.instance_id)
        .order_by(func.min(m.due_at), m.instance_id)
        .limit(bindparam("most")),
        "figures of the installation",
    ),
    row=LineDepth,
)

# Look-ups.
GET = Query(select(messages).where(_ONE), row=MessageRow, bulk=True)
GET_BY_NETWORK_ID = Query(
    select(messages).where(m.account_id == bindparam("b_account"), m.network_id == bindparam("b_network_id")).limit(1),
    row=MessageRow,
)
GET_BY_LINE_AND_NETWORK_ID = Query(
    select(messages).where(
        m.account_id == bindparam("b_account"),
        m.instance_id == bindparam("b_instance"),
        m.network_id == bindparam("b_network_id"),
    ),
    row=MessageRow,
    bulk=True,
)
# One address's messages, newest first.
_CONVERSATION = (
    select(messages)
    .where(m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"))
    .order_by(m.id.desc())
    .limit(bindparam("most"))
)
CONVERSATION = Query(_CONVERSATION, row=MessageRow)
CONVERSATION_BEFORE = Query(_CONVERSATION.where(m.id < bindparam("before")), row=MessageRow)
# The same without what stands behind the words.
SAID = Query(
    select(m.id, m.phone, m.direction, m.type, m.text, m.state, m.created_at, m.deleted_at)
    .where(m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"), m.text != "")
    .order_by(m.id.desc())
    .limit(bindparam("most")),
    row=SaidRow,
)

_TOLD = (
    "account_id", "id", "instance_id", "direction", "phone", "type", "text", "content", "state", "priority",
    "network_id", "category", "cost_micros", "created_at",
)  # fmt: skip


def _keep_new(*names: str) -> Query[KeyRow]:
    """Keep what the network tells of messages that are not ours; what is known by its id already is left alone."""
    return Query(
        lambda dialect_insert: (
            dialect_insert(messages).values(columns(messages, *names)).on_conflict_do_nothing().returning(m.id)
        ),
        row=KeyRow,
        bulk=True,
    )


INSERT_INBOUND = _keep_new(*_TOLD)
# What the owner wrote in the network's own app has been sent by then.
INSERT_ECHO = _keep_new(*_TOLD, "sent_at", "sent_by")

# Of what a line sent in a stretch of time: how much, to how many people, and how much of it has arrived.
RECEIPTS = Query(
    select(
        func.count().label("sent"),
        func.count(m.phone.distinct()).label("people"),
        func.count(m.delivered_at).label("delivered"),
    ).where(
        m.account_id == bindparam("b_account"),
        m.id > bindparam("after"),
        m.id < bindparam("before"),
        m.instance_id == bindparam("b_instance"),
        m.direction == "out",
        m.state.in_(("sent", "delivered", "read")),
    ),
    row=ReceiptsRow,
)

# What somebody wrote last, the newest first.
HEARD_LAST = Query(
    select(m.text)
    .where(
        m.account_id == bindparam("b_account"),
        m.phone == bindparam("b_phone"),
        m.id > bindparam("after"),
        told_apart(m.direction) == "in",
    )
    .order_by(m.id.desc())
    .limit(3),
    row=WordsRow,
)

# How many messages somebody was sent since then.
SENT_TO = Query(
    select(func.count().label("n")).where(
        m.account_id == bindparam("b_account"),
        m.phone == bindparam("b_phone"),
        m.id > bindparam("after"),
        told_apart(m.direction) == "out",
    ),
    row=CountedRow,
)

# Whether a number was told the same since then.
SAID_TO = Query(
    select(m.id)
    .where(
        m.account_id == bindparam("b_account"),
        m.phone == bindparam("b_phone"),
        m.id > bindparam("after"),
        told_apart(m.direction) == "out",
        m.text == bindparam("b_text"),
    )
    .limit(1),
    row=KeyRow,
)

# Whether somebody of the team, or a program of theirs, wrote to this number since then.
ANSWERED_BY_HAND = Query(
    select(m.id)
    .where(
        m.account_id == bindparam("b_account"),
        m.phone == bindparam("b_phone"),
        m.id > bindparam("after"),
        told_apart(m.direction) == "out",
        or_(m.sent_by.is_(None), m.sent_by.not_like(f"{AUTOMATIC}%")),
    )
    .limit(1),
    row=KeyRow,
)
# What somebody was sent last, by whichever line.
_SENT_TO = and_(
    m.account_id == bindparam("b_account"), m.phone == bindparam("b_phone"), told_apart(m.direction) == "out"
)
LAST_SENT = Query(select(m.id, m.category).where(_SENT_TO).order_by(m.id.desc()).limit(1), row=SentRow)


RESTORED = Query(
    across_accounts(
        select(m.account_id, m.id).where(m.error_code == CODE), "a restored installation is put right as a whole"
    ),
    row=OwnedRow,
)
