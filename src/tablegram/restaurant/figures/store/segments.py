"""Customers by what they have ordered: each function selects the ids of contacts, each once."""

from __future__ import annotations

from typing import Any, Literal, get_args

from sqlalchemy import ColumnElement, Double, Select, and_, cast, func, or_, select

from tablegram.restaurant.figures.model import Kind
from tablegram.storage.tables import customer_figures, customer_orders, customer_tallies

k, f, t = customer_orders.c, customer_figures.c, customer_tallies.c
Class = Literal["champions", "loyal", "promising", "new", "at_risk", "slipping", "lost"]
CLASSES: tuple[Class, ...] = get_args(Class)
# By how long ago the last order was, in days, by how many there were, and by what was spent: everybody who has ordered is
# in one class.
RECENT, FADING, GONE = 30, 90, 180
MANY, SEVERAL, FEW = 10, 4, 2
# Who spent much is in the first of so many equal parts.
PARTS = 5


def _figures(account_id: int, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(f.contact_id).where(f.account_id == account_id, *conditions)


def ordered(account_id: int) -> Select[Any]:
    return _figures(account_id)


def ordered_since(account_id: int, since: int) -> Select[Any]:
    return _figures(account_id, f.last_at >= since)


def last_before(account_id: int, before: int) -> Select[Any]:
    return _figures(account_id, f.last_at < before)


def often(account_id: int, times: int) -> Select[Any]:
    return _figures(account_id, f.orders >= times)


def often_since(account_id: int, times: int, since: int) -> Select[Any]:
    return _lately(account_id, since).having(func.count() >= times)


def _lately(account_id: int, since: int) -> Select[Any]:
    return select(k.contact_id).where(k.account_id == account_id, k.at >= since).group_by(k.contact_id)


def spent(account_id: int, currency: str, amount: int) -> Select[Any]:
    # None of this kind is a favourite: said so that the index leads straight to the amounts.
    return _tallies(account_id, "currency", currency, t.is_top == 0, t.quantity >= amount)


def spent_since(account_id: int, currency: str, amount: int, since: int) -> Select[Any]:
    # A server adds large whole numbers in an object for each customer, and these in place. They are exact below 2^53 minor
    # units, which nobody has spent.
    total = func.sum(cast(k.amount, Double), type_=Double)
    return _lately(account_id, since).where(k.currency == currency).having(total >= float(amount))


def tallied(account_id: int, kind: Kind, key: str, *, is_top: bool) -> Select[Any]:
    """Who has ordered it; or who has ordered nothing of its kind more."""
    return _tallies(account_id, kind, key, *([t.is_top == 1] if is_top else []))


def _tallies(account_id: int, kind: str, key: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(t.contact_id).where(t.account_id == account_id, t.kind == kind, t.key == key, *conditions)


def _spent_much(account_id: int) -> ColumnElement[bool]:
    """Whoever is among the fifth that spent most, of all who spent in the same currency."""
    part = func.ntile(PARTS).over(partition_by=t.key, order_by=(t.quantity.desc(), t.contact_id))
    spent_in = select(t.contact_id, part.label("part")).where(
        t.account_id == account_id, t.kind == "currency", t.is_top == 0
    )
    ranked = spent_in.subquery()
    return f.contact_id.in_(select(ranked.c.contact_id).where(ranked.c.part == 1))


def of_class(account_id: int, name: Class, since: dict[int, int]) -> Select[Any]:
    """`since` has the moment so many days ago."""
    recent, fading, gone = f.last_at >= since[RECENT], f.last_at >= since[FADING], f.last_at >= since[GONE]
    much = _spent_much(account_id)
    best = and_(recent, or_(f.orders >= MANY, and_(f.orders >= SEVERAL, much)))
    dear = or_(f.orders >= SEVERAL, and_(f.orders >= FEW, much))
    classes: dict[Class, ColumnElement[bool]] = {
        "champions": best,
        "loyal": and_(fading, f.orders >= SEVERAL, ~best),
        "promising": and_(fading, f.orders >= FEW, f.orders < SEVERAL),
        "new": and_(fading, f.orders < FEW),
        "at_risk": and_(~fading, gone, dear),
        "slipping": and_(~fading, gone, ~dear),
        "lost": ~gone,
    }
    return _figures(account_id, classes[name])
