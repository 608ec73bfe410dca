"""Statements on coupons and what was redeemed."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, insert, or_, select, update

from tablegram.loyalty.rows import CouponRow, RedemptionRow, UseRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import loyalty_coupons, loyalty_redemptions

c, r = loyalty_coupons.c, loyalty_redemptions.c
_COUPON = and_(c.account_id == bindparam("b_account"), c.id == bindparam("b_id"))
_CODE = and_(c.account_id == bindparam("b_account"), c.code == bindparam("b_code"))

INSERT = Query(
    lambda insert: (
        insert(loyalty_coupons)
        .values(columns(loyalty_coupons))
        .on_conflict_do_nothing(index_elements=["account_id", "code"])
    )
)
# Neither a code nor a cause twice.
GIVE = Query(lambda insert: insert(loyalty_coupons).values(columns(loyalty_coupons)).on_conflict_do_nothing())
BY_CAUSE = Query(
    select(loyalty_coupons).where(c.account_id == bindparam("b_account"), c.cause == bindparam("b_cause")),
    row=CouponRow,
)
GET = Query(select(loyalty_coupons).where(_COUPON), row=CouponRow)
LOCK = Query(select(loyalty_coupons).where(_COUPON).with_for_update(), row=CouponRow)
BY_CODE = Query(select(loyalty_coupons).where(_CODE), row=CouponRow)
CHANGES = ("name", "starts_at", "ends_at", "per_person", "in_all", "minimum", "is_active", "updated_at")
UPDATE = Query(
    update(loyalty_coupons)
    .where(_COUPON)
    .values({name: bindparam(f"new_{name}", type_=c[name].type) for name in CHANGES})
)
SWITCH_OFF = Query(
    update(loyalty_coupons).where(_COUPON).values(is_active=0, updated_at=bindparam("now", type_=c.updated_at.type))
)
SET_USED = Query(update(loyalty_coupons).where(_COUPON).values(used=bindparam("new_used", type_=c.used.type)))
ANY = Query(select(c.id).where(c.account_id == bindparam("b_account"), c.is_active == 1).limit(1), row=WithId)
# A guest's own: a page shows them without typing.
OF_CONTACT = Query(
    select(loyalty_coupons)
    .where(c.account_id == bindparam("b_account"), c.contact_id == bindparam("b_contact"), c.is_active == 1)
    .order_by(c.created_at, c.id)
    .limit(50),
    row=CouponRow,
)
MOVE = Query(
    update(loyalty_coupons)
    .where(c.account_id == bindparam("b_account"), c.contact_id == bindparam("b_contact"))
    .values(contact_id=bindparam("target", type_=c.contact_id.type))
)
END = Query(
    update(loyalty_coupons)
    .where(c.account_id == bindparam("b_account"), c.contact_id == bindparam("b_contact"))
    .values(contact_id=bindparam("target", type_=c.contact_id.type), cause=None, is_active=0)
)


def page(account_id: int, kind: str | None, before: tuple[int, str] | None, most: int) -> Query[CouponRow]:
    """The newest first."""
    found = select(loyalty_coupons).where(c.account_id == account_id)
    if kind is not None:
        found = found.where(c.kind == kind)
    if before is not None:
        found = found.where(or_(c.created_at < before[0], and_(c.created_at == before[0], c.id < before[1])))
    return Query(found.order_by(c.created_at.desc(), c.id.desc()).limit(most), row=CouponRow)


_ONE = and_(r.account_id == bindparam("b_account"), r.id == bindparam("b_id"))
REDEEM = Query(insert(loyalty_redemptions).values(columns(loyalty_redemptions)))
REDEMPTION = Query(select(loyalty_redemptions).where(_ONE).with_for_update(), row=RedemptionRow)
OF_ORDER = Query(
    select(loyalty_redemptions)
    .where(r.account_id == bindparam("b_account"), r.order_key == bindparam("b_order"))
    .order_by(r.created_at, r.id),
    row=RedemptionRow,
)
MOVING = ("state", "turn", "points", "amount", "order_key", "order_id", "venue_id", "until", "updated_at")
SET = Query(
    update(loyalty_redemptions)
    .where(_ONE)
    .values({name: bindparam(f"new_{name}", type_=r[name].type) for name in MOVING})
)
# What a guest chose for the next order, the oldest first.
CHOSEN = Query(
    select(loyalty_redemptions)
    .where(
        r.account_id == bindparam("b_account"), r.contact_id == bindparam("b_contact"), r.state == "chosen",
        r.until > bindparam("now"),
    )
    .order_by(r.created_at, r.id), row=RedemptionRow
)  # fmt: skip
# A guest's uses of a coupon, with the number of each.
USES = Query(
    select(r.turn).where(
        r.account_id == bindparam("b_account"),
        r.coupon_id == bindparam("b_coupon"),
        r.contact_id == bindparam("b_contact"),
        r.state.in_(["held", "final"]),
    ),
    row=UseRow,
)
RENAME = Query(
    update(loyalty_redemptions)
    .where(r.account_id == bindparam("b_account"), r.contact_id == bindparam("b_contact"))
    .values(contact_id=bindparam("target", type_=r.contact_id.type))
)
# A merge may bring two uses of one coupon together: numbers of the one who goes are given up.
LET_TURNS_GO = Query(
    update(loyalty_redemptions)
    .where(r.account_id == bindparam("b_account"), r.contact_id == bindparam("b_contact"))
    .values(turn=None)
)
