"""Statements on what customers said about being written to."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, insert, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import consents, contacts

s, c = consents.c, contacts.c
_OF = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_id"))

INSERT = Query(insert(consents).values(columns(consents)))
OF_CONTACT = Query(select(consents).where(_OF).order_by(s.at, s.id))
# The same word from the same place at the same time: it was told twice.
SAME = Query(
    select(s.id)
    .where(
        _OF,
        *(s[name] == bindparam(name, type_=s[name].type) for name in ("purpose", "state", "source", "proof", "at")),
    )
    .limit(1)
)
# Two contacts turned out to be one person, who said what both said.
MOVE = Query(update(consents).where(_OF).values(contact_id=bindparam("target", type_=s.contact_id.type)))
FORGET = Query(delete(consents).where(_OF))

# What a contact's own row shows is the last word about marketing. Of two at one time the one that was noted later holds.
_MARKETING = and_(_OF, s.purpose == "marketing")


def _last(name: str) -> Any:
    return select(s[name]).where(_MARKETING).order_by(s.at.desc(), s.id.desc()).limit(1).scalar_subquery()


SETTLE = Query(
    update(contacts)
    .where(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"), exists(select(s.id).where(_MARKETING)))
    .values(consent=_last("state"), consent_at=_last("at"), consent_source=_last("source"))
)
