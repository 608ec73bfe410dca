"""Statements on programmes, members and their points."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Select, and_, bindparam, case, cast, func, insert, or_, select, update

from tablegram.loyalty.rows import BalanceRow, MemberRow, MovementRow, PointsOfDay, ProgrammeRow, TotalsRow, WhoseRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import loyalty_members, loyalty_movements, loyalty_programmes

p, m, v = loyalty_programmes.c, loyalty_members.c, loyalty_movements.c
SUMS = ("balance", "given", "redeemed", "expired", "taken")

PROGRAMME = Query(select(loyalty_programmes).where(p.account_id == bindparam("b_account")), row=ProgrammeRow)
SET_PROGRAMME = Query(
    lambda insert: (
        insert(loyalty_programmes)
        .values(columns(loyalty_programmes))
        .on_conflict_do_update(
            index_elements=["account_id"],
            set_={
                name: bindparam(name, type_=p[name].type)
                for name in ("is_on", "rates", "expires_months", "warn_days", "warn_template", "updated_at")
            },
        )
    )
)

_MEMBER = and_(m.account_id == bindparam("b_account"), m.contact_id == bindparam("b_contact"))
MEMBER = Query(select(loyalty_members).where(_MEMBER), row=MemberRow)
BALANCE = Query(select(m.contact_id, m.balance).where(_MEMBER), row=BalanceRow, bulk=True)
LOCK_MEMBER = Query(select(loyalty_members).where(_MEMBER).with_for_update(), row=MemberRow)
ADD_MEMBER = Query(
    lambda insert: (
        insert(loyalty_members)
        .values(columns(loyalty_members))
        .on_conflict_do_nothing(index_elements=["account_id", "contact_id"])
    )
)
SET_SUMS = Query(
    update(loyalty_members)
    .where(_MEMBER)
    .values({name: bindparam(f"new_{name}", type_=m[name].type) for name in (*SUMS, "updated_at")})
)
RENAME_MEMBER = Query(
    update(loyalty_members).where(_MEMBER).values(contact_id=bindparam("target", type_=m.contact_id.type))
)

INSERT = Query(insert(loyalty_movements).values(columns(loyalty_movements)))
BY_CAUSE = Query(
    select(loyalty_movements).where(v.account_id == bindparam("b_account"), v.cause == bindparam("b_cause")),
    row=MovementRow,
)
_OF_CONTACT = and_(v.account_id == bindparam("b_account"), v.contact_id == bindparam("b_contact"))
OF_ORDER = Query(
    select(loyalty_movements)
    .where(v.account_id == bindparam("b_account"), v.order_key == bindparam("b_order"))
    .order_by(v.created_at, v.id),
    row=MovementRow,
)
OF_CONTACT = Query(
    select(loyalty_movements).where(_OF_CONTACT).order_by(v.created_at, v.id), row=MovementRow, bulk=True
)
# What goes by first is used first; what stays for ever comes last.
UNUSED = Query(
    select(loyalty_movements)
    .where(_OF_CONTACT, v.unused > 0)
    .order_by(case((v.expires_at.is_(None), 1), else_=0), v.expires_at, v.created_at, v.id)
    .with_for_update(),
    row=MovementRow,
)
_ONE = and_(v.account_id == bindparam("b_account"), v.id == bindparam("b_id"))
SET_UNUSED = Query(update(loyalty_movements).where(_ONE).values(unused=bindparam("new_unused", type_=v.unused.type)))
SET_WARNED = Query(update(loyalty_movements).where(_ONE).values(warned_at=bindparam("now", type_=v.warned_at.type)))
RENAME = Query(
    update(loyalty_movements).where(_OF_CONTACT).values(contact_id=bindparam("target", type_=v.contact_id.type))
)
# What people of the team wrote about somebody goes with them.
NO_REASONS = Query(update(loyalty_movements).where(_OF_CONTACT).values(reason=""))
# Who has points that have gone by.
EXPIRED = Query(
    across_accounts(
        select(v.account_id, v.contact_id)
        .where(v.unused > 0, v.expires_at.is_not(None), v.expires_at <= bindparam("now"))
        .group_by(v.account_id, v.contact_id)
        .order_by(v.account_id, v.contact_id)
        .limit(200),
        "the clock lets points go by, whoever they belong to",
    ),
    row=WhoseRow,
)
# Who has points that go by soon, and has not heard of it; each account says how soon.
EXPIRING = Query(
    across_accounts(
        select(v.account_id, v.contact_id)
        .join(loyalty_programmes, v.account_id == p.account_id)
        .where(
            v.unused > 0,
            v.warned_at.is_(None),
            v.expires_at.is_not(None),
            v.expires_at > bindparam("now"),
            p.is_on == 1,
            p.warn_days > 0,
            v.expires_at <= bindparam("now") + p.warn_days * bindparam("day_ms", type_=BigInteger()),
        )
        .group_by(v.account_id, v.contact_id)
        .order_by(v.account_id, v.contact_id)
        .limit(200),
        "the clock tells of points that go by, whoever they belong to",
    ),
    row=WhoseRow,
)


def members_page(
    account_id: int, contact_ids: list[str] | None, before: tuple[int, str] | None, most: int
) -> Query[MemberRow]:
    """Members, those with the most points first; with `contact_ids`, of these alone."""
    found = select(loyalty_members).where(m.account_id == account_id, ~m.contact_id.like("gone:%"))
    if contact_ids is not None:
        found = found.where(m.contact_id.in_(contact_ids))
    if before is not None:
        found = found.where(or_(m.balance < before[0], and_(m.balance == before[0], m.contact_id > before[1])))
    return Query(found.order_by(m.balance.desc(), m.contact_id).limit(most), row=MemberRow)


def movements_page(account_id: int, contact_id: str, before: tuple[int, str] | None, most: int) -> Query[MovementRow]:
    """The newest first."""
    found = select(loyalty_movements).where(v.account_id == account_id, v.contact_id == contact_id)
    if before is not None:
        found = found.where(or_(v.created_at < before[0], and_(v.created_at == before[0], v.id < before[1])))
    return Query(found.order_by(v.created_at.desc(), v.id.desc()).limit(most), row=MovementRow)


def with_points(account_id: int, least: int) -> Select[Any]:
    """Contacts that have so many points or more."""
    return select(m.contact_id).where(m.account_id == account_id, m.balance >= least)


TOTALS = Query(
    select(
        func.count().label("members"),
        *(cast(func.coalesce(func.sum(m[name]), 0), BigInteger).label(name) for name in SUMS),
    ).where(m.account_id == bindparam("b_account")),
    row=TotalsRow,
)
BY_KIND = Query(
    select(
        v.kind,
        case((v.points > 0, 1), else_=0).label("came"),
        ((v.created_at - bindparam("since", type_=BigInteger())) // bindparam("step", type_=BigInteger())).label(
            "slot"
        ),
        cast(func.sum(v.points), BigInteger).label("points"),
    )
    .where(
        v.account_id == bindparam("b_account"), v.created_at >= bindparam("since"), v.created_at < bindparam("until")
    )
    .group_by(v.kind, "came", "slot"),
    row=PointsOfDay,
)
