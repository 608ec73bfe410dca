"""What the network reports of sent messages later. A step that was seen before changes nothing."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, case, func, null, update

from tablegram.messaging.rows.messages import KeyRow, StepRow
from tablegram.storage.database import Query
from tablegram.storage.tables import messages

m = messages.c
_ONE = and_(m.account_id == bindparam("b_account"), m.id == bindparam("b_id"))
_settle = {"due_at": null(), "doubt_at": null(), "claimed_by": null(), "claimed_at": null()}
REPORTED_SENT = Query(
    update(messages)
    .where(_ONE, m.direction == "out", m.sent_at.is_(None))
    .values(
        state=case((m.state == "queued", "sent"), else_=m.state),
        sent_at=bindparam("at"),
        network_id=func.coalesce(m.network_id, bindparam("new_network_id", type_=m.network_id.type)),
        # What was doubted is certain now; the reason of a failure stays.
        error_code=case((m.state == "queued", null()), else_=m.error_code),
        error_detail=case((m.state == "queued", null()), else_=m.error_detail),
        error_network_code=case((m.state == "queued", null()), else_=m.error_network_code),
        **_settle,
    )
    .returning(m.id, m.state),
    row=StepRow,
    bulk=True,
)
REPORTED_DELIVERED = Query(
    update(messages)
    .where(_ONE, m.direction == "out", m.delivered_at.is_(None))
    .values(
        state=case((m.state == "read", m.state), else_="delivered"),
        delivered_at=bindparam("at", type_=m.sent_at.type),
        sent_at=func.coalesce(m.sent_at, bindparam("at", type_=m.sent_at.type)),
        network_id=func.coalesce(m.network_id, bindparam("new_network_id", type_=m.network_id.type)),
        error_code=null(),
        error_detail=null(),
        error_network_code=null(),
        **_settle,
    )
    .returning(m.id, m.state),
    row=StepRow,
    bulk=True,
)
REPORTED_READ = Query(
    update(messages)
    .where(_ONE, m.direction == "out", m.read_at.is_(None))
    .values(
        state="read",
        read_at=bindparam("at", type_=m.sent_at.type),
        sent_at=func.coalesce(m.sent_at, bindparam("at", type_=m.sent_at.type)),
        delivered_at=func.coalesce(m.delivered_at, bindparam("at", type_=m.sent_at.type)),
        network_id=func.coalesce(m.network_id, bindparam("new_network_id", type_=m.network_id.type)),
        error_code=null(),
        error_detail=null(),
        error_network_code=null(),
        **_settle,
    )
    .returning(m.id, m.state),
    row=StepRow,
    bulk=True,
)
REPORTED_FAILED = Query(
    update(messages)
    .where(_ONE, m.direction == "out", m.state.in_(["queued", "sent", "delivered"]), m.failed_at.is_(None))
    .values(
        state="failed",
        failed_at=bindparam("at"),
        network_id=func.coalesce(m.network_id, bindparam("new_network_id", type_=m.network_id.type)),
        error_code=bindparam("code"),
        error_detail=bindparam("detail"),
        error_network_code=bindparam("network_code"),
        **_settle,
    )
    .returning(m.id, m.state),
    row=StepRow,
    bulk=True,
)
FINAL_COST = Query(
    update(messages)
    .where(_ONE, m.cost_final_micros.is_(None))
    .values(cost_final_micros=bindparam("cost"))
    .returning(m.id),
    row=KeyRow,
    bulk=True,
)
