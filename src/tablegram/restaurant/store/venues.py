"""Statements on venues, their sections and their waiters."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, func, insert, select, update

from tablegram.restaurant.rows import HowMany, WithId
from tablegram.restaurant.rows.menus import StationName
from tablegram.restaurant.rows.venues import SectionRow, SigningKey, VenueRow, WaiterRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import accounts, menu_items, sections, venues, waiters

v, s, w = venues.c, sections.c, waiters.c
_MINE = and_(v.account_id == bindparam("b_account"), v.deleted_at.is_(None))
_ONE = and_(_MINE, v.id == bindparam("b_id"))
# Nobody of a suspended account sees what guests order, so they are not let to order there.
_SERVED = v.account_id.not_in(select(accounts.c.id).where(accounts.c.state == "suspended"))
_CHANGES = [name for name in v.keys() if name not in ("account_id", "id", "menu_version", "created_at")]  # noqa: SIM118

INSERT = Query(insert(venues).values(columns(venues)))
GET = Query(select(venues).where(_ONE), row=VenueRow)
# Whoever changes a venue or its menu reads it like this, so that no other process's change is written over.
LOCK = Query(select(venues).where(_ONE).with_for_update(), row=VenueRow)
LOCK_ALL = Query(select(v.id).where(_MINE).order_by(v.id).with_for_update(), row=WithId)
# Orders outlive their venue.
EVER = Query(select(venues).where(v.account_id == bindparam("b_account"), v.id == bindparam("b_id")), row=VenueRow)
ALL = Query(select(venues).where(_MINE).order_by(v.created_at, v.id), row=VenueRow)
COUNT = Query(select(func.count().label("n")).where(_MINE), row=HowMany)
DEFAULT = Query(select(venues).where(_MINE, v.is_default == 1), row=VenueRow)
BY_LINE = Query(
    select(venues).where(_MINE, v.instance_id == bindparam("b_instance"), _SERVED).order_by(v.created_at, v.id),
    row=VenueRow,
)
UPDATE = Query(
    update(venues).where(_ONE).values({name: bindparam(f"new_{name}", type_=v[name].type) for name in _CHANGES})
)
# The menu's page shows the venue's languages and name as well.
GROW = Query(update(venues).where(_ONE).values(menu_version=v.menu_version + 1))
NO_DEFAULT = Query(update(venues).where(_MINE).values(is_default=0))

# A QR names the venue but not the account, and a guest has no key. Ids are made by chance, so that one names one venue.
ANYWHERE = Query(
    across_accounts(
        select(venues).where(v.id == bindparam("b_id"), v.deleted_at.is_(None), _SERVED),
        "a guest opens the public menu page",
    ),
    row=VenueRow,
)
# The house that was here first: a link without a venue led to it when there was no other, and goes on doing so, also
# when that house has moved to another venue since.
_any, _open = venues.alias().c, venues.alias().c
_FIRST_HOUSE = (
    select(_any.account_id)
    .where(_any.account_id.in_(select(_open.account_id).where(_open.deleted_at.is_(None))))
    .order_by(_any.created_at, _any.id)
    .limit(1)
    .scalar_subquery()
)
FIRST = Query(
    across_accounts(
        select(venues)
        .where(v.deleted_at.is_(None), _SERVED, v.account_id == _FIRST_HOUSE)
        .order_by(v.is_default.desc(), v.created_at, v.id)
        .limit(1),
        "the public menu page without a venue shows that of the house that was here first",
    ),
    row=VenueRow,
)
STATIONS_USED = Query(
    select(menu_items.c.station)
    .where(menu_items.c.account_id == bindparam("b_account"), menu_items.c.venue_id == bindparam("b_id"))
    .distinct(),
    row=StationName,
)
SIGNING_KEYS = Query(
    across_accounts(select(v.account_id, v.id, v.signing_key), "the installation's own keys are sealed anew"),
    row=SigningKey,
)
SEAL_AGAIN = Query(
    update(venues)
    .where(v.account_id == bindparam("b_account"), v.id == bindparam("b_id"), v.signing_key == bindparam("b_old"))
    .values(signing_key=bindparam("new_key", type_=v.signing_key.type))
)

_OF_VENUE = and_(w.account_id == bindparam("b_account"), w.venue_id == bindparam("b_venue"))
INSERT_WAITER = Query(insert(waiters).values(columns(waiters)))
WAITERS = Query(select(waiters).where(_OF_VENUE).order_by(w.name, w.id), row=WaiterRow)
_WAITER = and_(_OF_VENUE, w.id == bindparam("b_id"))
UPDATE_WAITER = Query(
    update(waiters)
    .where(_WAITER)
    .values(
        name=bindparam("new_name", type_=w.name.type),
        phone=bindparam("new_phone", type_=w.phone.type),
        member_id=bindparam("new_member", type_=w.member_id.type),
    )
)
WAITER_OF_MEMBER = Query(select(waiters).where(_OF_VENUE, w.member_id == bindparam("b_member")), row=WaiterRow)
DELETE_WAITER = Query(delete(waiters).where(_WAITER))

_SECTIONS = and_(s.account_id == bindparam("b_account"), s.venue_id == bindparam("b_venue"))
INSERT_SECTION = Query(insert(sections).values(columns(sections)))
SECTIONS = Query(select(sections).where(_SECTIONS).order_by(s.position, s.id), row=SectionRow)
_SECTION = and_(_SECTIONS, s.id == bindparam("b_id"))
UPDATE_SECTION = Query(
    update(sections)
    .where(_SECTION)
    .values({name: bindparam(f"new_{name}", type_=s[name].type) for name in ("name", "waiter_id", "position")})
)
DELETE_SECTION = Query(delete(sections).where(_SECTION))
# Sections of a waiter who left are nobody's.
FREE_SECTIONS = Query(update(sections).where(_SECTIONS, s.waiter_id == bindparam("b_id")).values(waiter_id=None))
