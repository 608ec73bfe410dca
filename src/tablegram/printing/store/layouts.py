"""Statements on how tickets look."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, select

from tablegram.printing.rows import LayoutRow, LayoutText
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import ticket_layouts

t = ticket_layouts.c
_MINE = and_(t.account_id == bindparam("b_account"), t.venue_id == bindparam("b_venue"))
_ONE = and_(_MINE, t.kind == bindparam("b_kind"), t.station == bindparam("b_station"))

OF_VENUE = Query(select(ticket_layouts).where(_MINE), row=LayoutRow)
GET = Query(select(t.layout).where(_ONE), row=LayoutText)
PUT = Query(
    lambda dialect_insert: (
        dialect_insert(ticket_layouts)
        .values(columns(ticket_layouts))
        .on_conflict_do_update(
            index_elements=["account_id", "venue_id", "kind", "station"],
            set_={"layout": bindparam("layout"), "updated_at": bindparam("updated_at")},
        )
    )
)
DELETE = Query(delete(ticket_layouts).where(_ONE))
