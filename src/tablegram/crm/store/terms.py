"""Statements on the words that find contacts, and the searches made of them."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    func,
    intersect,
    literal_column,
    or_,
    select,
    union,
)

from tablegram.crm.rows import BriefContact, ContactRow, Counted, LastSeen
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import contact_terms, contacts
from tablegram.values.clock import DAY_MS

c, t = contacts.c, contact_terms.c
_MINE = t.account_id == bindparam("b_account")
_OF_CONTACT = and_(_MINE, t.contact_id == bindparam("b_id"))

_KEY = ["account_id", "term", "contact_id", "source"]

ADD = Query(
    lambda dialect_insert: (
        dialect_insert(contact_terms).values(columns(contact_terms)).on_conflict_do_nothing(index_elements=_KEY)
    ),
    bulk=True,
)
# A word that is there already was said once more: noted to a day, so that few rows are written again.
_AGAIN = or_(t.said_at.is_(None), t.said_at < literal_column(f"excluded.said_at - {DAY_MS}"))


SAY = Query(
    lambda dialect_insert: (rows := dialect_insert(contact_terms).values(columns(contact_terms))).on_conflict_do_update(
        index_elements=_KEY, set_={"said_at": rows.excluded.said_at}, where=_AGAIN
    ),
    bulk=True,
)
FORGET_PROFILE = Query(delete(contact_terms).where(_OF_CONTACT, t.source == "profile"))
FORGET = Query(delete(contact_terms).where(_OF_CONTACT))
MOVE_SAID = Query(
    lambda dialect_insert: (
        rows := dialect_insert(contact_terms).from_select(
            [*_KEY, "said_at"],
            select(t.account_id, t.term, bindparam("target", type_=t.contact_id.type), t.source, t.said_at).where(
                _OF_CONTACT, t.source == "said"
            ),
        )
    ).on_conflict_do_update(index_elements=_KEY, set_={"said_at": rows.excluded.said_at}, where=_AGAIN)
)

_LIVING = c.merged_into.is_(None)
# Adding nothing keeps a database from walking all contacts in this order instead of the few that a word has found.
_SEEN = c.last_seen_at + 0

# How many ranges are alternatives of each other, for each word of a search: the shape of a statement. Alternatives are
# written as separate questions, because an index answers a range and not an `or` of them.
Shape = tuple[int, ...]


def _within(word: int, one: int) -> ColumnElement[bool]:
    """Terms in one of a word's ranges."""
    return and_(_MINE, t.term >= bindparam(f"low_{word}_{one}"), t.term < bindparam(f"high_{word}_{one}"))


@cache
def count(word: int, one: int) -> Query[Counted]:
    """How many terms a range holds, as far as `most`."""
    some = select(literal_column("1")).where(_within(word, one)).limit(bindparam("most")).subquery()
    return Query(select(func.count().label("n")).select_from(some), row=Counted)


def _has(word: int, alternatives: int) -> ColumnElement[bool]:
    """Whether a contact has the word."""
    same = and_(t.account_id == c.account_id, t.contact_id == c.id)
    # A value to compare instead of `exists`, which a server would rather answer for everybody at once than for the few
    # contacts that are looked at.
    looks = [
        select(literal_column("1")).where(same, _within(word, one)).limit(literal_column("1")).scalar_subquery()
        for one in range(alternatives)
    ]
    return or_(*[look == literal_column("1") for look in looks])


def _listed(
    since: bool, after: bool, active: bool, seen: ColumnElement[int] = c.last_seen_at
) -> list[ColumnElement[bool]]:
    conditions = [c.account_id == bindparam("b_account"), _LIVING]
    if since:
        conditions.append(seen >= bindparam("since"))
    if active:
        # Who was added and never wrote was not active, however lately they came into the list.
        conditions.append(c.window_until.is_not(None))
    if after:
        conditions += [
            # The first condition is implied by the second, and is what the index can use.
            seen <= bindparam("at"),
            or_(seen < bindparam("at"), c.id < bindparam("id")),
        ]
    return conditions


@cache
def by_word(shape: Shape, rare: tuple[int, ...], most: int | None, *, since: bool, after: bool) -> Query[ContactRow]:
    """From the contacts of the rare words, which have at most `most` terms each, to those that have all the others."""
    return Query(
        select(contacts)
        .where(*_listed(since, after, active=since, seen=_SEEN), *_found(shape, rare, most))
        .order_by(_SEEN.desc(), c.id.desc())
        .limit(bindparam("most")),
        row=ContactRow,
    )


def _found(shape: Shape, rare: tuple[int, ...], most: int | None) -> list[ColumnElement[bool]]:
    """Contacts with all words of a search, looked for among those of the rare ones."""
    others = [_has(word, alternatives) for word, alternatives in enumerate(shape) if word not in rare]
    if not rare:
        return others
    found = [_contacts_of(word, shape[word], most) for word in rare]
    return [c.id.in_(found[0] if len(found) == 1 else intersect(*found)), *others]


def _contacts_of(word: int, alternatives: int, most: int | None) -> Select[Any]:
    """The contacts of a word. That there are few of them is said as a limit, for who plans the query."""
    ranges = [select(t.contact_id).where(_within(word, one)) for one in range(alternatives)]
    if most is not None:
        ranges = [select(one.limit(literal_column(str(most))).subquery().c.contact_id) for one in ranges]
    return ranges[0] if alternatives == 1 else select(union(*ranges).subquery().c.contact_id)


@cache
def by_time(shape: Shape, *, since: bool, after: bool, active: bool) -> Query[ContactRow]:
    """From the contacts last seen to those of them that have all words."""
    return Query(
        select(contacts)
        .where(*_listed(since, after, active), *_found(shape, (), None))
        .order_by(c.last_seen_at.desc(), c.id.desc())
        .limit(bindparam("most")),
        row=ContactRow,
    )


@cache
def far_back(*, since: bool, after: bool) -> Query[LastSeen]:
    """When the contact was seen that is `reach` places down the list."""
    # Those that were merged count too: leaving them out would cost a look at every row, and it is only about how far.
    listed = select(c.last_seen_at).where(*[one for one in _listed(since, after, active=since) if one is not _LIVING])
    return Query(listed.order_by(c.last_seen_at.desc(), c.id.desc()).offset(bindparam("reach")).limit(1), row=LastSeen)


@cache
def in_order(shape: Shape, rare: tuple[int, ...], most: int | None, *, since: bool) -> Query[ContactRow]:
    """All who are found, by their ids, which do not change when somebody writes meanwhile."""
    return Query(
        select(contacts)
        .where(*_listed(since, False, active=since), *_found(shape, rare, most), c.id > bindparam("behind"))
        .order_by(c.id)
        .limit(bindparam("most")),
        row=ContactRow,
    )


@cache
def briefs(shape: Shape, rare: tuple[int, ...], most: int | None, *, since: bool) -> Query[BriefContact]:
    """Who is found, as far as `most`, with what a list may be put in order by."""
    seen = _SEEN if rare else c.last_seen_at
    listed = [*_listed(since, False, active=since, seen=seen), *_found(shape, rare, most)]
    return Query(
        select(c.id, c.name, c.last_seen_at, c.window_until).where(*listed).limit(bindparam("most")), row=BriefContact
    )


@cache
def how_many(shape: Shape, rare: tuple[int, ...], most: int | None, *, since: bool) -> Query[Counted]:
    """How many are found, as far as `most`."""
    seen = _SEEN if rare else c.last_seen_at
    listed = [*_listed(since, False, active=since, seen=seen), *_found(shape, rare, most)]
    some = select(literal_column("1")).where(*listed).limit(bindparam("most")).subquery()
    return Query(select(func.count().label("n")).select_from(some), row=Counted)
