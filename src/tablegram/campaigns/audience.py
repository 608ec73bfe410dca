"""Who a campaign is for: contacts in the order of their ids, page by page."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select

from tablegram.storage.database import Query, Tx
from tablegram.storage.tables import contacts

p = contacts.c
_ALL = and_(p.account_id == bindparam("b_account"), p.merged_into.is_(None))
EVERYBODY = Query(select(p.id).where(_ALL, p.id > bindparam("after")).order_by(p.id).limit(bindparam("most")))
HOW_MANY = Query(select(func.count().label("n")).where(_ALL))


async def page(tx: Tx, account_id: int, segment_id: str, after: str, limit: int) -> list[str]:
    """The ids that follow. An empty segment is everybody."""
    rows = await tx.all(EVERYBODY, {"b_account": account_id, "after": after, "most": limit})
    return [row["id"] for row in rows]


async def count(tx: Tx, account_id: int, segment_id: str) -> int:
    row = await tx.first(HOW_MANY, {"b_account": account_id})
    return 0 if row is None else int(row["n"])
