"""Statements on couriers and their shifts."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, cast, func, insert, select, update

from tablegram.delivery.couriers.rows import (
    Counted,
    CourierRow,
    NameRow,
    PhoneRow,
    SealedLinkRow,
    ShiftRow,
    TakenRow,
    WithId,
)
from tablegram.engine.purging import old_rows
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import courier_calls, courier_shifts, couriers, order_deliveries

c, s, d = couriers.c, courier_shifts.c, order_deliveries.c
_MINE = c.account_id == bindparam("b_account")
_THERE = c.removed_at.is_(None)
_ONE = and_(_MINE, c.id == bindparam("b_id"), _THERE)

CHANGING = ("name", "phone", "member_id", "language", "active", "updated_at")

INSERT = Query(insert(couriers).values(columns(couriers)))
GET = Query(select(couriers).where(_ONE), row=CourierRow)
LOCK = Query(select(couriers).where(_ONE).with_for_update(), row=CourierRow)
ALL = Query(select(couriers).where(_MINE, _THERE).order_by(c.id), row=CourierRow)
# Also those that were removed: what they brought goes on naming them.
NAMES = Query(select(c.id, c.name).where(_MINE), row=NameRow)
COUNT = Query(select(func.count().label("n")).where(_MINE, _THERE), row=Counted)
# Those who may write to us about what they bring.
REACHED = Query(select(c.phone).where(_MINE, _THERE, c.active == 1, c.phone != ""), row=PhoneRow)
BY_PHONE = Query(
    select(couriers).where(_MINE, _THERE, c.active == 1, c.phone == bindparam("b_phone")).order_by(c.id), row=CourierRow
)
UPDATE = Query(
    update(couriers).where(_ONE).values({name: bindparam(f"new_{name}", type_=c[name].type) for name in CHANGING})
)
# The name of who is gone stays beside what they brought; the number, the link and the PIN end at once.
REMOVE = Query(
    update(couriers)
    .where(_ONE)
    .values(
        removed_at=bindparam("now"),
        updated_at=bindparam("now"),
        phone="",
        member_id=None,
        key_hash=None,
        key_sealed=None,
        pin_hash=None,
    )
)

# Who stands behind a private link.
BY_KEY = Query(
    across_accounts(
        select(couriers).where(c.key_hash == bindparam("b_hash"), _THERE),
        "a courier's page names its key alone, and that tells whose it is",
    ),
    row=CourierRow,
)
ACCESS = Query(
    update(couriers)
    .where(_ONE)
    .values(
        {
            # With another PIN, what was tried before is no matter.
            "pin_misses": 0,
            **{name: bindparam(f"new_{name}", type_=c[name].type) for name in ("key_hash", "key_sealed", "pin_hash")},
        }
    )
)
MISSED = Query(update(couriers).where(_ONE).values(pin_misses=bindparam("new_misses"), pin_missed_at=bindparam("now")))
SEALED = Query(
    across_accounts(
        select(c.account_id, c.id, c.key_sealed).where(c.key_sealed.is_not(None), _THERE),
        "what is sealed is sealed again under a new key, whoever it belongs to",
    ),
    row=SealedLinkRow,
)
SEAL_AGAIN = Query(
    update(couriers)
    .where(_ONE, c.key_sealed == bindparam("b_old"))
    .values(key_hash=bindparam("new_hash"), key_sealed=bindparam("new_sealed"))
)

_SHIFT = and_(s.account_id == bindparam("b_account"), s.id == bindparam("b_id"))
_OPEN = and_(s.account_id == bindparam("b_account"), s.ended_at.is_(None))
INSERT_SHIFT = Query(insert(courier_shifts).values(columns(courier_shifts)))
SHIFT = Query(select(courier_shifts).where(_SHIFT), row=ShiftRow)
LOCK_SHIFT = Query(select(courier_shifts).where(_SHIFT).with_for_update(), row=ShiftRow)
OPEN_SHIFT = Query(select(courier_shifts).where(_OPEN, s.courier_id == bindparam("b_courier")), row=ShiftRow)
OPEN_SHIFTS = Query(select(courier_shifts).where(_OPEN).order_by(s.id), row=ShiftRow)
# More than a courier works in two months.
MAX_SHIFTS = 100
SHIFTS = Query(
    select(courier_shifts)
    .where(s.account_id == bindparam("b_account"), s.courier_id == bindparam("b_courier"))
    .order_by(s.id.desc())
    .limit(MAX_SHIFTS),
    row=ShiftRow,
)
# Ended, and the cash of it not counted yet.
UNCOUNTED = Query(
    select(courier_shifts)
    .where(s.account_id == bindparam("b_account"), s.ended_at.is_not(None), s.counted_at.is_(None))
    .order_by(s.id),
    row=ShiftRow,
)
END_SHIFT = Query(
    update(courier_shifts)
    .where(_SHIFT, s.ended_at.is_(None))
    .values(ended_at=bindparam("now", type_=s.ended_at.type), ended_by=bindparam("who", type_=s.ended_by.type))
)
COUNT_CASH = Query(
    update(courier_shifts)
    .where(_SHIFT, s.counted_at.is_(None))
    .values(
        expected=bindparam("new_expected", type_=s.expected.type),
        counted=bindparam("new_counted", type_=s.counted.type),
        note=bindparam("new_note", type_=s.note.type),
        counted_at=bindparam("now", type_=s.counted_at.type),
        counted_by=bindparam("who", type_=s.counted_by.type),
    )
)
# What was taken in a shift, by the way of paying.
TAKEN = Query(
    select(
        d.shift_id,
        d.collected_by,
        cast(func.sum(d.collected), BigInteger).label("amount"),
        func.count().label("n"),
    )
    .where(d.account_id == bindparam("b_account"), d.shift_id == bindparam("b_shift"), d.collected_by.is_not(None))
    .group_by(d.shift_id, d.collected_by),
    row=TakenRow,
)
BUSY = Query(
    select(d.id)
    .where(d.account_id == bindparam("b_account"), d.courier_id == bindparam("b_courier"), d.ended_at.is_(None))
    .limit(1),
    row=WithId,
)

# Whoever is told again finds that they know.
CALL = Query(
    lambda dialect_insert: (
        dialect_insert(courier_calls)
        .values(columns(courier_calls))
        .on_conflict_do_nothing(index_elements=["account_id", "order_key", "courier_id"])
    )
)

forget_calls = old_rows(courier_calls, courier_calls.c.at < bindparam("before"), courier_calls.c.order_key)
