"""Statements on what customers said about being written to."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import Text, and_, bindparam, delete, exists, func, insert, or_, select, update

from tablegram.crm.rows import ConsentRow, ConsentTextRow, ConsentWeek, SpokenRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import consent_texts, consents, contacts
from tablegram.values.clock import DAY_MS

s, c = consents.c, contacts.c
_OF = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_id"))

INSERT = Query(insert(consents).values(columns(consents)))
OF_CONTACT = Query(select(consents).where(_OF).order_by(s.at, s.id), row=ConsentRow, bulk=True)
# The same word from the same place at the same time: it was told twice.
SAME = Query(
    select(consents)
    .where(
        _OF,
        *(told_apart(s[name]) == bindparam(name) for name in ("purpose", "state", "source", "proof")),
        s.at == bindparam("at", type_=s.at.type),
    )
    .order_by(s.id)
    .limit(1),
    row=ConsentRow,
)
# Two contacts turned out to be one person, who said what both said.
MOVE = Query(update(consents).where(_OF).values(contact_id=bindparam("target", type_=s.contact_id.type)))
FORGET = Query(delete(consents).where(_OF))

# What a contact's own row shows is the last word about marketing. Of two at one time the one that was noted later holds.
_MARKETING = and_(_OF, told_apart(s.purpose) == "marketing")


def _last(name: str) -> Any:
    # Adding nothing keeps a file from walking everybody's words in this order instead of the few of the contact.
    return select(s[name]).where(_MARKETING).order_by((s.at + 0).desc(), s.id.desc()).limit(1).scalar_subquery()


SETTLE = Query(
    update(contacts)
    .where(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"), exists(select(s.id).where(_MARKETING)))
    .values(consent=_last("state"), consent_at=_last("at"), consent_source=_last("source"))
)

# What a list may be narrowed to, those first of which there are the fewest rows.
FILTERS = ("contact_id", "source", "state", "purpose")
_at, _id = bindparam("before_at", type_=s.at.type), bindparam("before_id", type_=s.id.type)


@cache
def page(given: tuple[str, ...]) -> Query[ConsentRow]:
    """The last one first, narrowed to what is `given` of `FILTERS`, and read from an index of the first of them."""
    columns = [s[name] if name == given[0] else told_apart(s[name]) for name in given]
    # A contact has few. Adding nothing keeps a file from walking all words in this order instead of those.
    time = s.at + 0 if "contact_id" in given else s.at
    conditions = [column == bindparam(f"only_{name}", type_=Text) for column, name in zip(columns, given, strict=True)]
    return Query(
        select(consents)
        .where(
            s.account_id == bindparam("b_account"),
            time >= bindparam("since", type_=s.at.type),
            # Implied by the one behind it, and what an index can use.
            time <= _at,
            or_(time < _at, and_(time == _at, s.id < _id)),
            s.at + 0 < bindparam("until", type_=s.at.type),
            *conditions,
        )
        .order_by(time.desc(), s.id.desc())
        .limit(bindparam("most")),
        row=ConsentRow,
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
    .group_by("week", s.state),
    row=ConsentWeek,
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
    .limit(bindparam("most")),
    row=SpokenRow,
)

# The words that customers are asked with.
x = consent_texts.c
ADD_TEXT = Query(insert(consent_texts).values(columns(consent_texts)))
TEXTS = Query(
    select(consent_texts).where(x.account_id == bindparam("b_account")).order_by(x.language, x.version.desc()),
    row=ConsentTextRow,
)
LAST_TEXT = Query(
    select(consent_texts)
    .where(x.account_id == bindparam("b_account"), x.language == bindparam("b_language"))
    .order_by(x.version.desc())
    .limit(1),
    row=ConsentTextRow,
)
