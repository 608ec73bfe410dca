"""Statements on what customers said about being written to."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, delete, insert, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import consents

s = consents.c
_OF = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_id"))

INSERT = Query(insert(consents).values(columns(consents)))
OF_CONTACT = Query(select(consents).where(_OF).order_by(s.at, s.id))
# Two contacts turned out to be one person, who said what both said.
MOVE = Query(update(consents).where(_OF).values(contact_id=bindparam("target", type_=s.contact_id.type)))
FORGET = Query(delete(consents).where(_OF))
