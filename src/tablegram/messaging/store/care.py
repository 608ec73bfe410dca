"""Statements on what a linked line has handed to its network lately, and on its own pauses."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, null, or_, select, update

from tablegram.messaging.rows.lines import MomentRow, PauseRow, ReservedRow, SendsRow
from tablegram.messaging.rows.messages import KeyRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import instances, line_sends, linked_lines, messages

s = line_sends.c
_MINE = and_(s.account_id == bindparam("b_account"), s.instance_id == bindparam("b_id"))
_LINE = and_(instances.c.account_id == bindparam("b_account"), instances.c.id == bindparam("b_id"))

# What the line asks for, since when its phone is linked, and whether it pauses.
LINE = Query(
    select(instances.c.config, instances.c.paused_until, linked_lines.c.linked_at)
    .select_from(
        instances.outerjoin(
            linked_lines,
            and_(linked_lines.c.account_id == instances.c.account_id, linked_lines.c.instance_id == instances.c.id),
        )
    )
    .where(_LINE),
    row=PauseRow,
)
RESERVED = Query(select(s.is_first).where(_MINE, s.message_id == bindparam("b_message")), row=ReservedRow)
RESERVE = Query(
    lambda insert: (
        insert(line_sends)
        .values(columns(line_sends, "account_id", "instance_id", "message_id", "at", "is_first"))
        .on_conflict_do_nothing(index_elements=["account_id", "instance_id", "message_id"])
    )
)
GIVE_BACK = Query(delete(line_sends).where(_MINE, s.message_id == bindparam("b_message")))
COUNT = Query(
    select(func.count().label("n"), func.coalesce(func.sum(s.is_first), 0).label("firsts")).where(
        _MINE, s.at > bindparam("since")
    ),
    row=SendsRow,
)
# The one that has to be a day old before the next may go.
NTH = Query(
    select(s.at).where(_MINE, s.at > bindparam("since")).order_by(s.at).limit(1).offset(bindparam("skip")),
    row=MomentRow,
)
NTH_FIRST = Query(
    select(s.at)
    .where(_MINE, s.at > bindparam("since"), s.is_first == 1)
    .order_by(s.at)
    .limit(1)
    .offset(bindparam("skip")),
    row=MomentRow,
)
_WITH = (
    select(messages.c.id)
    .where(
        messages.c.account_id == bindparam("b_account"),
        messages.c.phone == bindparam("b_phone"),
        messages.c.instance_id == bindparam("b_id"),
    )
    .limit(1)
)
# Whether the line and this number have ever written to each other, and whether this number has.
KNOWN = Query(_WITH.where(or_(messages.c.direction == "in", messages.c.sent_at.is_not(None))), row=KeyRow)
WROTE = Query(_WITH.where(told_apart(messages.c.direction) == "in"), row=KeyRow)
PAUSE = Query(update(instances).where(_LINE).values(paused_until=bindparam("until"), paused_why=bindparam("why")))
GO_ON = Query(
    update(instances).where(_LINE, instances.c.paused_until.is_not(None)).values(paused_until=null(), paused_why="")
)
