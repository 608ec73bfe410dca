"""Statements on the tables of a venue."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from tablegram.restaurant.rows.venues import Generation, TableCount, TableRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import restaurant_tables, sections, waiters

t, s = restaurant_tables.c, sections.c
_MINE = and_(t.account_id == bindparam("b_account"), t.venue_id == bindparam("b_venue"))
_ONE = and_(_MINE, t.id == bindparam("b_id"))
_CHANGES = ("label", "label_key", "section_id", "waiter_id", "seats", "position")

# With the names of those who serve it: the table's own waiter goes before the section's.
_own, _of_section = waiters.alias("own"), waiters.alias("of_section")
_NAMED = (
    select(
        restaurant_tables,
        s.name.label("section_name"),
        func.coalesce(_own.c.name, _of_section.c.name).label("waiter_name"),
        func.coalesce(_own.c.phone, _of_section.c.phone).label("waiter_phone"),
    )
    .select_from(
        restaurant_tables.outerjoin(sections, and_(s.account_id == t.account_id, s.id == t.section_id))
        .outerjoin(_own, and_(_own.c.account_id == t.account_id, _own.c.id == t.waiter_id))
        .outerjoin(_of_section, and_(_of_section.c.account_id == s.account_id, _of_section.c.id == s.waiter_id))
    )
    .where(_MINE)
)

INSERT = Query(insert(restaurant_tables).values(columns(restaurant_tables)))
ALL = Query(_NAMED.order_by(t.position, t.id), row=TableRow)
GET = Query(_NAMED.where(t.id == bindparam("b_id")), row=TableRow)
BY_LABEL = Query(_NAMED.where(t.label_key == bindparam("b_label")), row=TableRow)
COUNT = Query(select(func.count().label("n"), func.max(t.position).label("last")).where(_MINE), row=TableCount)
UPDATE = Query(
    update(restaurant_tables)
    .where(_ONE)
    .values({name: bindparam(f"new_{name}", type_=t[name].type) for name in _CHANGES})
)
ROTATE = Query(update(restaurant_tables).where(_ONE).values(generation=t.generation + 1))
ROTATE_ALL = Query(update(restaurant_tables).where(_MINE).values(generation=t.generation + 1))
# Whoever rotates the code waits until this transaction ends.
HOLD_GENERATION = Query(select(t.generation).where(_ONE).with_for_update(read=True), row=Generation)
DELETE = Query(delete(restaurant_tables).where(_ONE))
FREE_OF_WAITER = Query(update(restaurant_tables).where(_MINE, t.waiter_id == bindparam("b_id")).values(waiter_id=None))
FREE_OF_SECTION = Query(
    update(restaurant_tables).where(_MINE, t.section_id == bindparam("b_id")).values(section_id=None)
)
