"""Statements on what providers told."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, select, update

from tablegram.payments.rows import NumberRow, SignalRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import payment_signals

s = payment_signals.c
_MINE = s.account_id == bindparam("b_account")
_ONE = and_(_MINE, s.provider_id == bindparam("b_provider"), s.id == bindparam("b_id"))

# The same signal again is no second one.
INSERT = Query(
    lambda dialect_insert: (
        dialect_insert(payment_signals)
        .values(columns(payment_signals))
        .on_conflict_do_nothing(index_elements=["account_id", "provider_id", "id"])
        .returning(s.id)
    ),
    row=WithId,
)
MOVE = Query(
    update(payment_signals)
    .where(_ONE, s.state == "waiting")
    .values(state=bindparam("new_state"), settled_at=bindparam("new_settled", type_=s.settled_at.type))
)
WAITING = Query(
    across_accounts(
        select(payment_signals).where(s.state == "waiting").order_by(s.received_at).limit(200),
        "the clock looks after what was told of links that nobody knew yet, whoever they belong to",
    ),
    row=SignalRow,
)
UNKNOWN = Query(
    select(payment_signals)
    .where(_MINE, s.state == "unknown", s.settled_at.is_(None))
    .order_by(s.received_at.desc())
    .limit(200),
    row=SignalRow,
)
UNKNOWN_COUNT = Query(
    select(func.count().label("n")).where(_MINE, s.state == "unknown", s.settled_at.is_(None)), row=NumberRow
)
SETTLE = Query(
    update(payment_signals)
    .where(_ONE, s.state == "unknown", s.settled_at.is_(None))
    .values(settled_by=bindparam("new_by"), settled_at=bindparam("now"))
)
