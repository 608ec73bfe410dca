"""Statements on carts and purchases."""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, case, func, literal_column, or_, select, update

from tablegram.engine.purging import old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import store_carts, store_purchases
from tablegram.stores.carts.rows import CartRow, EndedCart, PurchaseRow
from tablegram.stores.rows import DueRow, NumberRow

c = store_carts.c
p = store_purchases.c
_MINE = c.account_id == bindparam("b_account")
_ONE = and_(_MINE, c.id == bindparam("b_id"))
_checkout = bindparam("b_checkout", type_=c.checkout.type)
_phone = bindparam("b_phone", type_=c.phone.type)
_email = bindparam("b_email", type_=c.email.type)
_FIXED = ("account_id", "id", "source_id", "reference", "created_at")

# The same checkout is one cart, whoever tells of it first.
ADD = Query(
    lambda dialect_insert: (
        dialect_insert(store_carts)
        .values(columns(store_carts))
        .on_conflict_do_nothing(index_elements=["account_id", "source_id", "reference"])
    )
)
LOCK = Query(select(store_carts).where(_ONE).with_for_update(), row=CartRow)
LOCK_CHECKOUT = Query(
    select(store_carts)
    .where(_MINE, c.source_id == bindparam("b_source"), c.reference == bindparam("b_reference"))
    .with_for_update(),
    row=CartRow,
)
# States only move forward: whoever was faster has changed it, and this finds nothing.
UPDATE = Query(
    update(store_carts)
    .where(_ONE, c.state == bindparam("b_state"))
    .values({one.name: bindparam(f"new_{one.name}", type_=one.type) for one in c if one.name not in _FIXED})
)
_known_by = or_(
    and_(_checkout != "", c.source_id == bindparam("b_source"), c.checkout == _checkout),
    and_(
        c.began_at <= bindparam("until"),
        or_(
            and_(_phone != "", c.phone == _phone),
            and_(_email != "", c.email == _email),
        ),
    ),
)
# In the order of their ids, so that no two purchases wait for each other.
BOUGHT_BY = Query(
    select(store_carts).where(_MINE, c.state != "deleted", _known_by).order_by(c.id).with_for_update(), row=CartRow
)
DUE = Query(
    across_accounts(
        select(c.account_id, c.id)
        .where(c.due_at.is_not(None), c.due_at <= bindparam("now"))
        .order_by(c.due_at)
        .limit(bindparam("most")),
        "one look finds the carts of every account that are due",
    ),
    row=DueRow,
)


def _given(name: str) -> Any:
    return bindparam(name, type_=p[name].type)


# What came first of an order stands.
NOTE_PURCHASE = Query(
    lambda dialect_insert: (
        dialect_insert(store_purchases)
        .values(columns(store_purchases))
        .on_conflict_do_update(
            index_elements=["account_id", "source_id", "reference"],
            set_={
                "at": case((p.at > _given("at"), _given("at")), else_=p.at),
                **{name: case((p[name] == "", _given(name)), else_=p[name]) for name in ("checkout", "phone", "email")},
            },
        )
    )
)
_PURCHASED = and_(
    p.account_id == bindparam("b_account"),
    or_(
        and_(_checkout != "", p.source_id == bindparam("b_source"), p.checkout == _checkout),
        and_(
            p.at >= bindparam("since"),
            or_(
                and_(_phone != "", p.phone == _phone),
                and_(_email != "", p.email == _email),
            ),
        ),
    ),
)
PURCHASED = Query(select(store_purchases).where(_PURCHASED).order_by(p.at).limit(1), row=PurchaseRow)

FORGET = Query(
    update(store_carts)
    .where(_MINE, c.phone == bindparam("b_phone"))
    .values(name="", phone="", email="", facts=literal_column("'{}'"))
)
END_OF_PHONE = Query(
    update(store_carts)
    .where(_MINE, c.phone == bindparam("b_phone"), told_apart(c.state) == "open")
    .values(state="deleted", due_at=None, ended_at=bindparam("now"), updated_at=bindparam("now"))
)
FORGET_PURCHASES = Query(
    update(store_purchases)
    .where(p.account_id == bindparam("b_account"), p.phone == bindparam("b_phone"))
    .values(phone="", email="")
)


def page(
    account_id: int, *, state: str | None, source_id: str | None, search: str | None, after: str | None, most: int
) -> Query[CartRow]:
    """Newest first."""
    found = select(store_carts).where(c.account_id == account_id)
    for column, value in ((c.state, state), (c.source_id, source_id)):
        if value is not None:
            found = found.where(column == value)
    if search:
        words = "%" + search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        like = [column.ilike(words, escape="\\") for column in (c.name, c.phone, c.email)]
        found = found.where(or_(*like, c.reference == search, c.checkout == search))
    if after is not None:
        found = found.where(c.id < after)
    return Query(found.order_by(c.id.desc()).limit(most), row=CartRow)


ENDED = Query(
    select(c.state, c.reminders, c.bought_amount, c.bought_currency, c.ended_at, c.order_reference)
    .where(_MINE, c.ended_at >= bindparam("since"), c.state.in_(("left", "bought", "recovered")))
    .order_by(c.ended_at.desc())
    .limit(50_000),
    row=EndedCart,
)
OPEN_COUNT = Query(select(func.count().label("n")).where(_MINE, c.state == "open"), row=NumberRow)


forget_carts = old_rows(store_carts, and_(c.updated_at < bindparam("before"), c.due_at.is_(None)), c.id)
forget_purchases = old_rows(store_purchases, p.created_at < bindparam("before"), p.reference)
