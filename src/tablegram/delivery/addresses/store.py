"""Statements on the addresses of contacts."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, delete, insert, select, update

from tablegram.delivery.addresses.rows import AddressRow
from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import contact_addresses

a = contact_addresses.c
_OF_CONTACT = and_(a.account_id == bindparam("b_account"), a.contact_id == bindparam("b_contact"))
_ONE = and_(_OF_CONTACT, a.id == bindparam("b_id"))
_CHANGES = ("label", "address", "latitude", "longitude", "updated_at", "used_at", "asked_at")

INSERT = Query(insert(contact_addresses).values(columns(contact_addresses)))
GET = Query(select(contact_addresses).where(_ONE), row=AddressRow)
# The last used first.
ALL = Query(select(contact_addresses).where(_OF_CONTACT).order_by(a.used_at.desc(), a.id.desc()), row=AddressRow)
LOCK_ALL = Query(select(contact_addresses).where(_OF_CONTACT).order_by(a.id).with_for_update(), row=AddressRow)
UPDATE = Query(
    update(contact_addresses)
    .where(_ONE)
    .values({name: bindparam(f"new_{name}", type_=a[name].type) for name in _CHANGES})
)
DELETE = Query(delete(contact_addresses).where(_ONE))
FORGET = Query(delete(contact_addresses).where(_OF_CONTACT))
MOVE = Query(
    update(contact_addresses)
    .where(a.account_id == bindparam("b_account"), a.contact_id == bindparam("b_from"))
    .values(contact_id=bindparam("target", type_=a.contact_id.type))
)

# Whoever has not had anything brought there for two years is asked again.
ADDRESS_DAYS = 730
_BEFORE: BindParameter[int] = bindparam("before")
PURGES = (Purge("addresses", days(ADDRESS_DAYS), old_rows(contact_addresses, a.used_at < _BEFORE, a.id)),)
