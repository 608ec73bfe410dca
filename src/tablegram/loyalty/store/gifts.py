"""Statements on gift cards and the movements of their value."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    and_,
    bindparam,
    cast,
    func,
    insert,
    literal_column,
    or_,
    select,
    union_all,
    update,
)

from tablegram.loyalty.rows import GiftMoveRow, GiftRow, OwedRow, SoldRow, WhichRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import loyalty_gift_moves, loyalty_gifts

g, m = loyalty_gifts.c, loyalty_gift_moves.c
_GIFT = and_(g.account_id == bindparam("b_account"), g.id == bindparam("b_id"))
_CODE = and_(g.account_id == bindparam("b_account"), g.code == bindparam("b_code"))
_MINE = and_(g.account_id == bindparam("b_account"), g.contact_id == bindparam("b_contact"))

INSERT = Query(
    lambda insert: (
        insert(loyalty_gifts)
        .values(columns(loyalty_gifts))
        .on_conflict_do_nothing(index_elements=["account_id", "code"])
    )
)
GET = Query(select(loyalty_gifts).where(_GIFT), row=GiftRow)
LOCK = Query(select(loyalty_gifts).where(_GIFT).with_for_update(), row=GiftRow)
BY_CODE = Query(select(loyalty_gifts).where(_CODE), row=GiftRow)
LOCK_CODE = Query(select(loyalty_gifts).where(_CODE).with_for_update(), row=GiftRow)
OF_CONTACT = Query(select(loyalty_gifts).where(_MINE).order_by(g.created_at, g.id), row=GiftRow)
ANY = Query(select(g.id).where(g.account_id == bindparam("b_account")).limit(1), row=WithId)
MOVING = (
    "balance", "spent", "expired", "cancelled", "state", "contact_id", "expires_at", "warned_at", "sent_at", "updated_at",
)  # fmt: skip
SET = Query(
    update(loyalty_gifts).where(_GIFT).values({name: bindparam(f"new_{name}", type_=g[name].type) for name in MOVING})
)
RENAME = Query(update(loyalty_gifts).where(_MINE).values(contact_id=bindparam("target", type_=g.contact_id.type)))
# Nobody's any more; what it is worth stays.
FORGET = Query(update(loyalty_gifts).where(_MINE).values(contact_id=None, from_name="", greeting=""))

ADD_MOVE = Query(insert(loyalty_gift_moves).values(columns(loyalty_gift_moves)))
BY_CAUSE = Query(
    select(loyalty_gift_moves).where(m.account_id == bindparam("b_account"), m.cause == bindparam("b_cause")),
    row=GiftMoveRow,
)
MOVES = Query(
    select(loyalty_gift_moves)
    .where(m.account_id == bindparam("b_account"), m.gift_id == bindparam("b_gift"))
    .order_by(m.created_at, m.id),
    row=GiftMoveRow,
)
OF_PAYMENT = Query(
    select(loyalty_gift_moves)
    .where(m.account_id == bindparam("b_account"), m.payment_id == bindparam("b_payment"))
    .order_by(m.created_at, m.id),
    row=GiftMoveRow,
)
# What is owed to who holds cards, by currency.
OUTSTANDING = Query(
    select(
        g.currency,
        cast(func.sum(g.balance), BigInteger).label("balance"),
        cast(func.count(), BigInteger).label("cards"),
    )
    .where(g.account_id == bindparam("b_account"), g.balance > 0)
    .group_by(g.currency)
    .order_by(g.currency),
    row=OwedRow,
)
SOLD = Query(
    select(m.method, cast(func.sum(m.money), BigInteger).label("money"))
    .where(
        m.account_id == bindparam("b_account"),
        m.venue_id == bindparam("b_venue"),
        m.currency == bindparam("b_currency"),
        m.created_at >= bindparam("since"),
        m.created_at < bindparam("until"),
        m.money != 0,
    )
    .group_by(m.method)
    .order_by(m.method),
    row=SoldRow,
)
EXPIRED = Query(
    across_accounts(
        select(g.account_id, g.id)
        .where(g.balance > 0, g.expires_at.is_not(None), g.expires_at <= bindparam("now"))
        .order_by(g.account_id, g.id)
        .limit(200),
        "the clock lets gift cards expire, whoever they belong to",
    ),
    row=WhichRow,
)
EXPIRING = Query(
    across_accounts(
        select(g.account_id, g.id)
        .where(
            g.balance > 0,
            g.expires_at.is_not(None),
            g.expires_at > bindparam("now"),
            g.expires_at <= bindparam("soon"),
            g.warned_at.is_(None),
            g.contact_id.is_not(None),
        )
        .order_by(g.account_id, g.id)
        .limit(200),
        "the clock tells of gift cards that expire soon, whoever they belong to",
    ),
    row=WhichRow,
)


# In the words of the indexes that hold the cards of each standing.
_NOTHING: ColumnElement[int] = literal_column("0")
_LEFT, _ACTIVE = g.balance > _NOTHING, g.state == literal_column("'active'")


def page(
    account_id: int, standing: str | None, contact_id: str | None, now: int, before: tuple[int, str] | None, most: int
) -> Query[GiftRow]:
    """The newest first."""
    found = select(loyalty_gifts).where(g.account_id == account_id)
    if contact_id is not None:
        found = found.where(g.contact_id == contact_id)
    # A contact has few. Adding nothing keeps a file from walking all cards in this order instead of those.
    time = g.created_at if contact_id is None else g.created_at + 0
    if before is not None:
        # The first is implied by the second, and what an index can use.
        found = found.where(time <= before[0], or_(time < before[0], g.id < before[1]))
    newest = (time.desc(), g.id.desc())
    lasts = or_(g.expires_at.is_(None), g.expires_at > now)
    if standing == "active":
        found = found.where(_LEFT, _ACTIVE, lasts)
    elif standing == "spent":
        found = found.where(_ACTIVE, g.balance == _NOTHING, g.expired == _NOTHING)
    elif standing == "expired":
        # Those that the clock has not come to yet, and those that it has: the newest of each, from an index of each.
        ended = (and_(_LEFT, ~lasts), and_(g.balance == _NOTHING, g.expired > _NOTHING))
        each = [found.where(_ACTIVE, one).order_by(*newest).limit(most).subquery() for one in ended]
        both = union_all(*[select(one) for one in each]).subquery().c
        return Query(select(*both).order_by(both.created_at.desc(), both.id.desc()).limit(most), row=GiftRow)
    elif standing == "cancelled":
        found = found.where(g.state == literal_column("'cancelled'"))
    return Query(found.order_by(*newest).limit(most), row=GiftRow)
