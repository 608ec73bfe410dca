"""Statements on stamp cards and stamps."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, insert, select, update

from tablegram.loyalty.rows import CardOfGuest, CardRow, CollectedRow, StampRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import loyalty_cards, loyalty_collected, loyalty_stamps

d, k, s = loyalty_cards.c, loyalty_collected.c, loyalty_stamps.c
SUMS = ("balance", "given", "rewarded", "expired", "taken")

_CARD = and_(d.account_id == bindparam("b_account"), d.id == bindparam("b_id"))
ADD_CARD = Query(insert(loyalty_cards).values(columns(loyalty_cards)))
CARD = Query(select(loyalty_cards).where(_CARD), row=CardRow)
LOCK_CARD = Query(select(loyalty_cards).where(_CARD).with_for_update(), row=CardRow)
CARDS = Query(
    select(loyalty_cards).where(d.account_id == bindparam("b_account")).order_by(d.created_at.desc(), d.id.desc()),
    row=CardRow,
)
CHANGES = ("name", "expires_months", "is_active", "updated_at")
SET_CARD = Query(
    update(loyalty_cards).where(_CARD).values({name: bindparam(f"new_{name}", type_=d[name].type) for name in CHANGES})
)

_OWN = and_(
    k.account_id == bindparam("b_account"), k.card_id == bindparam("b_card"), k.contact_id == bindparam("b_contact")
)
LOCK = Query(select(loyalty_collected).where(_OWN).with_for_update(), row=CollectedRow)
ADD = Query(
    lambda insert: (
        insert(loyalty_collected)
        .values(columns(loyalty_collected))
        .on_conflict_do_nothing(index_elements=["account_id", "card_id", "contact_id"])
    )
)
SET_SUMS = Query(
    update(loyalty_collected)
    .where(_OWN)
    .values({name: bindparam(f"new_{name}", type_=k[name].type) for name in (*SUMS, "updated_at")})
)
OF_CONTACT = Query(
    select(loyalty_collected)
    .where(k.account_id == bindparam("b_account"), k.contact_id == bindparam("b_contact"))
    .order_by(k.card_id),
    row=CollectedRow,
)
RENAME_SUMS = Query(
    update(loyalty_collected)
    .where(k.account_id == bindparam("b_account"), k.contact_id == bindparam("b_contact"))
    .values(contact_id=bindparam("target", type_=k.contact_id.type))
)

INSERT = Query(insert(loyalty_stamps).values(columns(loyalty_stamps)))
BY_CAUSE = Query(
    select(loyalty_stamps).where(s.account_id == bindparam("b_account"), s.cause == bindparam("b_cause")), row=StampRow
)
OF_ORDER = Query(
    select(loyalty_stamps)
    .where(s.account_id == bindparam("b_account"), s.order_key == bindparam("b_order"))
    .order_by(s.created_at, s.id),
    row=StampRow,
)
_MINE = and_(s.account_id == bindparam("b_account"), s.contact_id == bindparam("b_contact"))
MOVEMENTS = Query(select(loyalty_stamps).where(_MINE).order_by(s.created_at, s.id), row=StampRow, bulk=True)
_ON_CARD = and_(_MINE, s.card_id == bindparam("b_card"))
# What goes by first is used first; what stays for ever comes last.
UNUSED = Query(
    select(loyalty_stamps)
    .where(_ON_CARD, s.unused > 0)
    .order_by(case((s.expires_at.is_(None), 1), else_=0), s.expires_at, s.created_at, s.id)
    .with_for_update(),
    row=StampRow,
)
SINCE = Query(
    select(loyalty_stamps).where(
        _ON_CARD, s.kind == "earn", s.created_at >= bindparam("since"), s.created_at < bindparam("until")
    ),
    row=StampRow,
)
# What full cards became, the newest first.
REWARDS = Query(
    select(loyalty_stamps).where(_ON_CARD, s.kind == "reward").order_by(s.created_at.desc(), s.id.desc()).limit(20),
    row=StampRow,
)
SET_UNUSED = Query(
    update(loyalty_stamps)
    .where(s.account_id == bindparam("b_account"), s.id == bindparam("b_id"))
    .values(unused=bindparam("new_unused", type_=s.unused.type))
)
RENAME = Query(update(loyalty_stamps).where(_MINE).values(contact_id=bindparam("target", type_=s.contact_id.type)))
EXPIRED = Query(
    across_accounts(
        select(s.account_id, s.card_id, s.contact_id)
        .where(s.unused > 0, s.expires_at.is_not(None), s.expires_at <= bindparam("now"))
        .group_by(s.account_id, s.card_id, s.contact_id)
        .order_by(s.account_id, s.card_id, s.contact_id)
        .limit(200),
        "the clock lets stamps go by, whoever they belong to",
    ),
    row=CardOfGuest,
)
