"""Statements on zones."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, insert, select, update

from tablegram.delivery.zones.rows import ZoneRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import delivery_zones

z = delivery_zones.c
_OF_VENUE = and_(z.account_id == bindparam("b_account"), z.venue_id == bindparam("b_venue"))
_ONE = and_(_OF_VENUE, z.id == bindparam("b_id"))
_CHANGES = [name for name in z.keys() if name not in ("account_id", "id", "venue_id", "created_at")]  # noqa: SIM118

INSERT = Query(insert(delivery_zones).values(columns(delivery_zones)))
GET = Query(select(delivery_zones).where(_ONE), row=ZoneRow)
# Where zones overlap, the first of these holds.
ALL = Query(select(delivery_zones).where(_OF_VENUE).order_by(z.position, z.id), row=ZoneRow)
UPDATE = Query(
    update(delivery_zones).where(_ONE).values({name: bindparam(f"new_{name}", type_=z[name].type) for name in _CHANGES})
)
DELETE = Query(delete(delivery_zones).where(_ONE))
