"""Statements on what customers said about being written to."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text, and_, bindparam, delete, exists, func, insert, or_, select, update

from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import consent_texts, consents, contacts
from tablegram.values.clock import DAY_MS

s, c = consents.c, contacts.c
_OF = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_id"))

INSERT = Query(insert(consents).values(columns(consents)))
OF_CONTACT = Query(select(consents).where(_OF).order_by(s.at, s.id), bulk=True)
# The same word from the same place at the same time: it was told twice.
SAME = Query(
    select(consents)
    .where(
        _OF,
        *(s[name] == bindparam(name, type_=s[name].type) for name in ("purpose", "state", "source", "proof", "at")),
    )
    .order_by(s.id)
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

# Lists. An empty filter lets everything through.
_FILTERS = [
    or_(bindparam(f"only_{name}", type_=Text) == "", s[name] == bindparam(f"only_{name}", type_=Text))
    for name in ("purpose", "state", "source", "contact_id")
]
_at, _id = bindparam("before_at", type_=s.at.type), bindparam("before_id", type_=s.id.type)
PAGE = Query(
    select(consents)
    .where(
        s.account_id == bindparam("b_account"),
        s.at >= bindparam("since", type_=s.at.type),
        s.at < bindparam("until", type_=s.at.type),
        or_(s.at < _at, and_(s.at == _at, s.id < _id)),
        *_FILTERS,
    )
    .order_by(s.at.desc(), s.id.desc())
    .limit(bindparam("most"))
)
# Weeks begin on Mondays; the first day of all time was a Thursday.
WEEK_MS, TO_MONDAY_MS = 7 * DAY_MS, 3 * DAY_MS
WEEKS = Query(
    select(((s.at + TO_MONDAY_MS) // WEEK_MS).label("week"), s.state, func.count().label("n"))
    .where(
        s.account_id == bindparam("b_account"),
        s.purpose == "marketing",
        s.at >= bindparam("since", type_=s.at.type),
    )
    .group_by("week", s.state)
)
# Contacts who said something of marketing that holds, by their ids.
SPOKEN = Query(
    select(c.id, c.consent, c.consent_at, c.consent_source)
    .where(
        c.account_id == bindparam("b_account"),
        c.merged_into.is_(None),
        c.consent.in_(["granted", "denied"]),
        c.id > bindparam("behind"),
    )
    .order_by(c.id)
    .limit(bindparam("most"))
)

# The words that customers are asked with.
x = consent_texts.c
ADD_TEXT = Query(insert(consent_texts).values(columns(consent_texts)))
TEXTS = Query(
    select(consent_texts).where(x.account_id == bindparam("b_account")).order_by(x.language, x.version.desc())
)
LAST_TEXT = Query(
    select(consent_texts)
    .where(x.account_id == bindparam("b_account"), x.language == bindparam("b_language"))
    .order_by(x.version.desc())
    .limit(1)
)
