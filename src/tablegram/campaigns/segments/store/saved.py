"""Statements on segments."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, insert, select, update

from tablegram.campaigns.rows import NameRow, SegmentRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import campaigns, segments

s = segments.c
_MINE = s.account_id == bindparam("b_account")
_ONE = and_(_MINE, s.id == bindparam("b_id"))

INSERT = Query(insert(segments).values(columns(segments)))
GET = Query(select(segments).where(_ONE), row=SegmentRow)
ALL = Query(select(segments).where(_MINE).order_by(s.name_key), row=SegmentRow)
# Whoever changes one holds all: rules may speak of other segments, and never in a circle.
LOCK = Query(select(segments).where(_MINE).order_by(s.id).with_for_update(), row=SegmentRow)
PAGE = Query(
    select(segments).where(_MINE, s.name_key > bindparam("after")).order_by(s.name_key).limit(bindparam("most")),
    row=SegmentRow,
)
UPDATE = Query(
    update(segments)
    .where(_ONE)
    .values(
        {
            name: bindparam(f"new_{name}", type_=s[name].type)
            for name in ("name", "name_key", "rules", "updated_at", "updated_by")
        }
    )
)
# Whoever names one that may not go meanwhile.
HOLD = Query(select(segments).where(_ONE).with_for_update(), row=SegmentRow)
# Campaigns that are to go to it, or are on their way.
USED = Query(
    select(campaigns.c.name)
    .where(
        campaigns.c.account_id == bindparam("b_account"),
        campaigns.c.segment_id == bindparam("b_id"),
        campaigns.c.state.not_in(["cancelled", "finished", "stopped", "missed"]),
    )
    .order_by(campaigns.c.id)
    .limit(3),
    row=NameRow,
)
DELETE = Query(delete(segments).where(_ONE))
