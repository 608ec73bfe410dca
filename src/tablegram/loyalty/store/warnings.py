"""Statements on what became of warnings before points expire."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, delete, insert, or_, select, update

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.loyalty.rows import WarningRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import loyalty_warnings

w = loyalty_warnings.c
_OF_CONTACT = and_(w.account_id == bindparam("b_account"), w.contact_id == bindparam("b_contact"))
_reason: BindParameter[str] = bindparam("only_reason", type_=w.reason.type)
_BEFORE: BindParameter[int] = bindparam("before")

INSERT = Query(insert(loyalty_warnings).values(columns(loyalty_warnings)))
# What somebody was not told, the newest first.
UNSENT = Query(
    select(loyalty_warnings)
    .where(
        _OF_CONTACT,
        w.reason != "",
        or_(
            w.created_at < bindparam("before_at"),
            and_(w.created_at == bindparam("before_at"), w.id < bindparam("before_key")),
        ),
        or_(_reason == "", w.reason == _reason),
    )
    .order_by(w.created_at.desc(), w.id.desc())
    .limit(bindparam("most")),
    row=WarningRow,
)
MOVE = Query(
    update(loyalty_warnings).where(_OF_CONTACT).values(contact_id=bindparam("target", type_=w.contact_id.type))
)
FORGET = Query(delete(loyalty_warnings).where(_OF_CONTACT))
PURGES = (Purge("loyalty warnings", days(365), old_rows(loyalty_warnings, w.created_at < _BEFORE, w.id)),)
