"""The statement that tells which tags there are."""

from __future__ import annotations

from sqlalchemy import bindparam, func, literal_column, select

from tablegram.crm.rows import TagRow
from tablegram.storage.database import Query
from tablegram.storage.tables import contact_terms, contacts

_first, _next, _counted, _one = (contact_terms.alias(name) for name in ("t_first", "t_next", "t_counted", "t_one"))
_low, _high = (bindparam(name, type_=contact_terms.c.term.type) for name in ("low", "high"))
_account = bindparam("b_account", type_=contact_terms.c.account_id.type)

# From each tag the index leads to the next one, past any number of contacts that have the same: what it costs depends
# on how many tags there are, not on how many contacts.
_walk = (
    select(func.min(_first.c.term).label("term"), literal_column("1").label("place"))
    .where(_first.c.account_id == _account, _first.c.term >= _low, _first.c.term < _high)
    .cte("walk", recursive=True)
)
_following = (
    select(func.min(_next.c.term))
    .where(_next.c.account_id == _account, _next.c.term > _walk.c.term, _next.c.term < _high)
    .correlate(_walk)
    .scalar_subquery()
)
_walk = _walk.union_all(
    select(_following, _walk.c.place + literal_column("1")).where(
        _walk.c.term.is_not(None), _walk.c.place < bindparam("walked")
    )
)
_some = (
    select(literal_column("1"))
    .where(_counted.c.account_id == _account, _counted.c.term == _walk.c.term)
    .correlate(_walk)
    .limit(bindparam("counted"))
    .subquery()
)
_contact = (
    select(func.min(_one.c.contact_id))
    .where(_one.c.account_id == _account, _one.c.term == _walk.c.term)
    .correlate(_walk)
    .scalar_subquery()
)
WALK = Query(
    select(
        _walk.c.term,
        select(func.count()).select_from(_some).correlate(_walk).scalar_subquery().label("n"),
        select(contacts.c.tags)
        .where(contacts.c.account_id == _account, contacts.c.id == _contact)
        .correlate(_walk)
        .scalar_subquery()
        .label("tags"),
    ).where(_walk.c.term.is_not(None)),
    row=TagRow,
)
