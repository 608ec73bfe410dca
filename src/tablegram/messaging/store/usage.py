"""Statements that count messages. An id begins with its time, so that a stretch of time is a stretch of the key."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, case, cast, func, select

from tablegram.messaging.rows.messages import CountRow, KeyRow
from tablegram.storage.database import Query
from tablegram.storage.tables import messages

m = messages.c
_STRETCH = and_(m.account_id == bindparam("account_id"), m.id >= bindparam("since_id"), m.id < bindparam("until_id"))
# What did not go out costs nothing, whatever was estimated for it.
_COST = case((m.state.in_(("failed", "cancelled")), 0), else_=func.coalesce(m.cost_final_micros, m.cost_micros))
_BEGINNING = func.substr(m.phone, 1, 3)

COUNTS = Query(
    select(
        m.instance_id,
        m.direction,
        m.state,
        m.category,
        _BEGINNING.label("beginning"),
        func.count().label("count"),
        cast(func.sum(_COST), BigInteger).label("cost_micros"),
    )
    .where(_STRETCH)
    .group_by(m.instance_id, m.direction, m.state, m.category, _BEGINNING),
    row=CountRow,
)
# Whether anything was ever sent or received: one look at each end of the key.
ANY = Query(
    select(m.id).where(m.account_id == bindparam("account_id"), m.direction == bindparam("way")).limit(1), row=KeyRow
)
