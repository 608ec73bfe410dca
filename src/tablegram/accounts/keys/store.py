"""Statements on the log of calls, and on the bodies that an account keeps of them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, bindparam, delete, func, insert, literal_column, or_, select, update

from tablegram.accounts.rows import BodiesRow, CallRow, KeepsRow, StatusRow
from tablegram.engine.purging import old_rows
from tablegram.storage.query import Query, columns
from tablegram.storage.tables import accounts, request_bodies, request_log

r, b = request_log.c, request_bodies.c

INSERT_CALL = Query(insert(request_log).values(columns(request_log)), bulk=True, planned_once=True)
_BEFORE = and_(r.account_id == bindparam("account_id"), r.id < bindparam("before"))
_OF_KEY = r.key_id == bindparam("key_id")
_NEWEST_FIRST = select(request_log).where(_BEFORE).order_by(r.id.desc()).limit(bindparam("most"))
CALLS = Query(_NEWEST_FIRST, row=CallRow)
# What sends are answered with, and so nearly every call; the others are in an index, and these are not.
COMMON = 200
_UNCOMMON = r.status != literal_column(str(COMMON))
CALLS_OF_STATUS = Query(_NEWEST_FIRST.where(r.status == bindparam("status"), _UNCOMMON), row=CallRow)
COMMON_CALLS = Query(_NEWEST_FIRST.where(r.status == COMMON), row=CallRow)
CALLS_OF_KEY = Query(_NEWEST_FIRST.where(_OF_KEY, r.status == bindparam("status")), row=CallRow)


def _which_statuses(*of_what: ColumnElement[bool]) -> Query[StatusRow]:
    """The statuses that occur in a range, one look into an index for each of them, among however many calls."""
    mine = (r.account_id == bindparam("account_id"), *of_what)
    first = select(func.min(r.status).label("status")).where(*mine, r.status >= bindparam("lowest"))
    seen = first.cte("seen", recursive=True)
    following = select(func.min(r.status)).where(*mine, r.status > seen.c.status).scalar_subquery()
    seen = seen.union_all(select(following).where(seen.c.status < bindparam("highest")))
    return Query(select(seen.c.status).where(seen.c.status <= bindparam("highest")), row=StatusRow)


STATUSES = _which_statuses(_UNCOMMON)
STATUSES_OF_KEY = _which_statuses(_OF_KEY)
CALLS_FOUND = Query(
    select(request_log)
    .where(
        _BEFORE,
        r.status >= bindparam("lowest"),
        r.status <= bindparam("highest"),
        or_(bindparam("key_id") == "", _OF_KEY),
        or_(
            r.request_id == bindparam("search"),
            r.code == bindparam("search"),
            r.path.like(bindparam("like"), escape="\\"),
        ),
    )
    .order_by(r.id.desc())
    .limit(bindparam("most")),
    row=CallRow,
)
CALL_BY_REQUEST_ID = Query(
    select(request_log)
    .where(r.account_id == bindparam("account_id"), r.request_id == bindparam("request_id"))
    .order_by(r.id.desc())
    .limit(1),
    row=CallRow,
)
forget_calls = old_rows(request_log, r.created_at < bindparam("before"), r.id)

INSERT_BODIES = Query(insert(request_bodies).values(columns(request_bodies)), bulk=True)
BODIES_OF_CALL = Query(
    select(request_bodies).where(b.account_id == bindparam("account_id"), b.id == bindparam("id")), row=BodiesRow
)
DELETE_BODIES = Query(delete(request_bodies).where(b.account_id == bindparam("b_account")))
DELETE_BODIES_WITH = Query(
    delete(request_bodies).where(
        b.account_id == bindparam("b_account"),
        or_(b.request.like(bindparam("like"), escape="\\"), b.answer.like(bindparam("like"), escape="\\")),
    )
)
KEEPS_BODIES = Query(select(accounts.c.keeps_bodies).where(accounts.c.id == bindparam("id")), row=KeepsRow)
SWITCH_BODIES = Query(
    update(accounts).where(accounts.c.id == bindparam("which")).values(keeps_bodies=bindparam("keeps"))
)
forget_bodies = old_rows(request_bodies, b.created_at < bindparam("before"), b.id)
