"""Statements on canned replies."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from tablegram.crm.rows import CannedRow, Counted, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import canned_replies

r = canned_replies.c
_ONE = and_(r.account_id == bindparam("b_account"), r.id == bindparam("b_id"))
_MINE = r.account_id == bindparam("b_account")

INSERT = Query(insert(canned_replies).values(columns(canned_replies)))
GET = Query(select(canned_replies).where(_ONE), row=CannedRow)
BY_SHORTCUT = Query(select(r.id).where(_MINE, r.shortcut == bindparam("b_shortcut")), row=WithId)
COUNT = Query(select(func.count().label("n")).where(_MINE), row=Counted)
PAGE = Query(
    select(canned_replies).where(_MINE, r.shortcut > bindparam("after")).order_by(r.shortcut).limit(bindparam("most")),
    row=CannedRow,
)
UPDATE = Query(
    update(canned_replies)
    .where(_ONE)
    .values(
        {
            name: bindparam(f"new_{name}", type_=r[name].type)
            for name in ("shortcut", "text", "updated_at", "updated_by")
        }
    )
)
DELETE = Query(delete(canned_replies).where(_ONE))
