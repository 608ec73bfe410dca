"""Statements on guests who called for the waiter or the bill."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, select, update

from tablegram.restaurant.rows import WithId
from tablegram.restaurant.rows.guests import CallRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import waiter_calls

c = waiter_calls.c
_MINE = and_(c.account_id == bindparam("b_account"), c.venue_id == bindparam("b_venue"))


def _insert_once(dialect_insert: Any) -> Any:
    # While an earlier call of the table waits, the same wish is the same call.
    return dialect_insert(waiter_calls).values(columns(waiter_calls)).on_conflict_do_nothing().returning(c.id)


INSERT = Query(_insert_once, row=WithId)
OPEN = Query(select(waiter_calls).where(_MINE, c.answered_at.is_(None)).order_by(c.created_at, c.id), row=CallRow)
OPEN_OF_TABLE = Query(
    select(waiter_calls).where(
        _MINE, c.table_id == bindparam("b_table"), c.kind == bindparam("b_kind"), c.answered_at.is_(None)
    ),
    row=CallRow,
)
LATELY_AT_TABLE = Query(
    select(waiter_calls)
    .where(_MINE, c.table_id == bindparam("b_table"), c.created_at >= bindparam("since"))
    .order_by(c.created_at, c.id),
    row=CallRow,
)
_ANSWERED = {
    "answered_at": bindparam("now", type_=c.answered_at.type),
    "answered_by": bindparam("by", type_=c.answered_by.type),
}
ANSWER = Query(update(waiter_calls).where(_MINE, c.id == bindparam("b_id"), c.answered_at.is_(None)).values(_ANSWERED))
ANSWER_TABLE = Query(
    update(waiter_calls).where(_MINE, c.table_id == bindparam("b_table"), c.answered_at.is_(None)).values(_ANSWERED)
)
