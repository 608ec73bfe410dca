"""Statements on refunds, and on the ledger."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_, bindparam, insert, select, update

from tablegram.payments.rows import RefundRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import payment_links, payment_movements, payment_refunds

r = payment_refunds.c
m = payment_movements.c
p = payment_links.c
_MINE = r.account_id == bindparam("b_account")
_ONE = and_(_MINE, r.id == bindparam("b_id"))

INSERT = Query(insert(payment_refunds).values(columns(payment_refunds)))
GET = Query(select(payment_refunds).where(_ONE), row=RefundRow)
OF_LINK = Query(select(payment_refunds).where(_MINE, r.link_id == bindparam("b_link")).order_by(r.id), row=RefundRow)
CLAIM = Query(
    update(payment_refunds)
    .where(_ONE, r.state == "asked", r.due_at.is_not(None), r.due_at <= bindparam("now"))
    .values(due_at=bindparam("until"), attempts=r.attempts + 1)
)
AGAIN = Query(update(payment_refunds).where(_ONE, r.state == "asked").values(due_at=bindparam("new_at")))
# It ends once.
END = Query(
    update(payment_refunds)
    .where(_ONE, r.state == "asked")
    .values(
        state=bindparam("new_state"),
        reference=bindparam("new_reference"),
        failure=bindparam("new_failure"),
        due_at=None,
        ended_at=bindparam("now"),
    )
)
DUE = Query(
    select(payment_refunds)
    .select_from(payment_refunds.join(payment_links, and_(p.account_id == r.account_id, p.id == r.link_id)))
    .where(_MINE, p.provider_id == bindparam("b_provider"), r.due_at <= bindparam("now"))
    .order_by(r.due_at, r.id)
    .limit(50),
    row=RefundRow,
)
# A movement that is told again changes nothing.
MOVE = Query(
    lambda dialect_insert: (
        dialect_insert(payment_movements)
        .values(columns(payment_movements))
        .on_conflict_do_nothing(index_elements=["account_id", "link_id", "kind", "external"])
        .returning(m.id)
    ),
    row=WithId,
)


def of_links(account_id: int, link_ids: Sequence[str]) -> Query[RefundRow]:
    return Query(
        select(payment_refunds).where(r.account_id == account_id, r.link_id.in_(link_ids)).order_by(r.id), row=RefundRow
    )
