"""Statements on the drawer."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, cast, func, insert, select, update

from tablegram.restaurant.till.rows import CountRow, MovementRow, SumRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import till_counts, till_movements

m, c = till_movements.c, till_counts.c
_OPEN = and_(
    m.account_id == bindparam("b_account"),
    m.venue_id == bindparam("b_venue"),
    m.currency == bindparam("b_currency"),
    m.count_id.is_(None),
)
_SUMS = (m.kind, cast(func.sum(m.amount), BigInteger).label("amount"))

INSERT = Query(insert(till_movements).values(columns(till_movements)))
INSERT_COUNT = Query(insert(till_counts).values(columns(till_counts)))
LAST = Query(
    select(till_counts)
    .where(c.account_id == bindparam("b_account"), c.venue_id == bindparam("b_venue"))
    .order_by(c.number.desc())
    .limit(1),
    row=CountRow,
)
SUMS = Query(select(*_SUMS).where(_OPEN).group_by(m.kind), row=SumRow)
# Whatever is committed by now; what is not is of the next count.
CLOSE = Query(update(till_movements).where(_OPEN).values(count_id=bindparam("new_count", type_=m.count_id.type)))
CLOSED_SUMS = Query(
    select(*_SUMS).where(m.account_id == bindparam("b_account"), m.count_id == bindparam("b_count")).group_by(m.kind),
    row=SumRow,
)
MOVEMENTS = Query(
    select(till_movements).where(_OPEN).order_by(m.created_at.desc(), m.id.desc()).limit(bindparam("most")),
    row=MovementRow,
)
OF_COUNT = Query(
    select(till_movements)
    .where(m.account_id == bindparam("b_account"), m.count_id == bindparam("b_count"))
    .order_by(m.created_at.desc(), m.id.desc())
    .limit(bindparam("most")),
    row=MovementRow,
)
GET = Query(
    select(till_counts).where(
        c.account_id == bindparam("b_account"),
        c.venue_id == bindparam("b_venue"),
        c.id == bindparam("b_id"),
    ),
    row=CountRow,
)


def page(account_id: int, venue_id: str, before: int | None, most: int) -> Query[CountRow]:
    """Counts, the newest first."""
    found = select(till_counts).where(c.account_id == account_id, c.venue_id == venue_id)
    if before is not None:
        found = found.where(c.number < before)
    return Query(found.order_by(c.number.desc()).limit(most), row=CountRow)
