"""Statements on the log of calls, and on the bodies that an account keeps of them."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, insert, or_, select, update

from tablegram.engine.purging import old_rows
from tablegram.storage.query import Query, columns
from tablegram.storage.tables import accounts, request_bodies, request_log

r, b = request_log.c, request_bodies.c

INSERT_CALL = Query(insert(request_log).values(columns(request_log)), bulk=True)
_FILTERED = and_(
    r.account_id == bindparam("account_id"),
    r.id < bindparam("before"),
    r.status >= bindparam("lowest"),
    r.status <= bindparam("highest"),
)
CALLS = Query(select(request_log).where(_FILTERED).order_by(r.id.desc()).limit(bindparam("most")))
CALLS_OF_KEY = Query(
    select(request_log).where(_FILTERED, r.key_id == bindparam("key_id")).order_by(r.id.desc()).limit(bindparam("most"))
)
CALLS_FOUND = Query(
    select(request_log)
    .where(
        _FILTERED,
        or_(bindparam("key_id") == "", r.key_id == bindparam("key_id")),
        or_(
            r.request_id == bindparam("search"),
            r.code == bindparam("search"),
            r.path.like(bindparam("like"), escape="\\"),
        ),
    )
    .order_by(r.id.desc())
    .limit(bindparam("most"))
)
CALL_BY_REQUEST_ID = Query(
    select(request_log)
    .where(r.account_id == bindparam("account_id"), r.request_id == bindparam("request_id"))
    .order_by(r.id.desc())
    .limit(1)
)
forget_calls = old_rows(request_log, r.created_at < bindparam("before"), r.id)

INSERT_BODIES = Query(insert(request_bodies).values(columns(request_bodies)), bulk=True)
BODIES_OF_CALL = Query(select(request_bodies).where(b.account_id == bindparam("account_id"), b.id == bindparam("id")))
DELETE_BODIES = Query(delete(request_bodies).where(b.account_id == bindparam("b_account")))
DELETE_BODIES_WITH = Query(
    delete(request_bodies).where(
        b.account_id == bindparam("b_account"),
        or_(b.request.like(bindparam("like"), escape="\\"), b.answer.like(bindparam("like"), escape="\\")),
    )
)
KEEPS_BODIES = Query(select(accounts.c.keeps_bodies).where(accounts.c.id == bindparam("id")))
SWITCH_BODIES = Query(
    update(accounts).where(accounts.c.id == bindparam("which")).values(keeps_bodies=bindparam("keeps"))
)
forget_bodies = old_rows(request_bodies, b.created_at < bindparam("before"), b.id)
