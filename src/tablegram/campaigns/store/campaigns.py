"""Statements on campaigns."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, insert, or_, select, update

from tablegram.campaigns.rows import CampaignRow, Counted
from tablegram.engine.rows import Backlog
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import campaigns

c = campaigns.c
_MINE = c.account_id == bindparam("b_account")
_ONE = and_(_MINE, c.id == bindparam("b_id"))

INSERT = Query(insert(campaigns).values(columns(campaigns)))
GET = Query(select(campaigns).where(_ONE), row=CampaignRow)
LOCK = Query(select(campaigns).where(_ONE).with_for_update(), row=CampaignRow)
PAGE = Query(
    select(campaigns)
    .where(
        _MINE,
        or_(bindparam("before", type_=c.id.type).is_(None), c.id < bindparam("before", type_=c.id.type)),
        or_(bindparam("b_state", type_=c.state.type).is_(None), c.state == bindparam("b_state", type_=c.state.type)),
    )
    .order_by(c.id.desc())
    .limit(bindparam("most")),
    row=CampaignRow,
)
# What people may still change, of a draft.
CHANGE = Query(
    update(campaigns)
    .where(_ONE, c.state == "draft")
    .values(
        name=bindparam("new_name"),
        segment_id=bindparam("new_segment"),
        instance_id=bindparam("new_instance", type_=c.instance_id.type),
        plan=bindparam("new_plan"),
        updated_at=bindparam("now"),
    )
)
# States are compared and set, so that two who move it at once do not both.
MOVE = Query(
    update(campaigns)
    .where(_ONE, c.state == bindparam("b_state"))
    .values(
        state=bindparam("new_state"),
        reason=bindparam("new_reason"),
        due_at=bindparam("new_due", type_=c.due_at.type),
        starts_at=bindparam("new_starts", type_=c.starts_at.type),
        started_at=bindparam("new_started", type_=c.started_at.type),
        ended_at=bindparam("new_ended", type_=c.ended_at.type),
        updated_at=bindparam("now"),
    )
)
LISTED = Query(
    update(campaigns)
    .where(_ONE)
    .values(
        behind=bindparam("new_behind"),
        is_listed=bindparam("new_is_listed"),
        total=c.total + bindparam("more", type_=c.total.type),
    )
)
LATER = Query(update(campaigns).where(_ONE).values(due_at=bindparam("new_due", type_=c.due_at.type)))
SETTLE = Query(update(campaigns).where(_ONE).values(due_at=None, settled_at=bindparam("now")))
DUE = Query(
    across_accounts(
        select(campaigns)
        .where(c.due_at.is_not(None), c.due_at <= bindparam("now"))
        .order_by(c.due_at, c.id)
        .limit(bindparam("most")),
        "one look finds the campaigns of every account that have something to do",
    ),
    row=CampaignRow,
)
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(c.due_at).label("oldest")).where(
            c.due_at.is_not(None), c.state.in_(("running", "scheduled"))
        ),
        "a figure of the installation",
    ),
    row=Backlog,
)
UNDER_WAY = Query(
    select(func.count().label("n")).where(_MINE, c.state.in_(("scheduled", "running", "held", "paused"))), row=Counted
)
