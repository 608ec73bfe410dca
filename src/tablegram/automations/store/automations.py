"""Statements on automations and their versions."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, exists, func, insert, or_, select, update

from tablegram.automations.rows import AutomationRow, DefinedAutomation, DefinitionRow, InterestRow, StateCount
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import automation_ratings, automation_versions, automations

a, v = automations.c, automation_versions.c
_MINE = a.account_id == bindparam("b_account")
_ONE = and_(_MINE, a.id == bindparam("b_id"))

INSERT = Query(insert(automations).values(columns(automations)))
GET = Query(select(automations).where(_ONE), row=AutomationRow)
LOCK = Query(select(automations).where(_ONE).with_for_update(), row=AutomationRow)
PAGE = Query(
    select(automations)
    .where(
        _MINE,
        or_(bindparam("before", type_=a.id.type).is_(None), a.id < bindparam("before", type_=a.id.type)),
        or_(bindparam("b_state", type_=a.state.type).is_(None), a.state == bindparam("b_state", type_=a.state.type)),
    )
    .order_by(a.id.desc())
    .limit(bindparam("most")),
    row=AutomationRow,
)
COUNT = Query(select(a.state, func.count().label("n")).where(_MINE).group_by(a.state), row=StateCount)
CHANGE = Query(
    update(automations)
    .where(_ONE)
    .values(
        name=bindparam("new_name"),
        trigger_kind=bindparam("new_trigger"),
        version=bindparam("new_version"),
        instance_id=bindparam("new_instance", type_=a.instance_id.type),
        sweep_at=bindparam("new_sweep", type_=a.sweep_at.type),
        updated_at=bindparam("now"),
    )
)
# States are compared and set, so that two who move it at once do not both.
MOVE = Query(
    update(automations)
    .where(_ONE, a.state == bindparam("b_state"))
    .values(
        state=bindparam("new_state"),
        on_since=bindparam("new_on_since", type_=a.on_since.type),
        sweep_at=bindparam("new_sweep", type_=a.sweep_at.type),
        updated_at=bindparam("now"),
    )
)
# Whom an occasion may be for, with what they decided.
ON = Query(
    select(automations, v.definition)
    .join(
        automation_versions,
        and_(v.account_id == a.account_id, v.automation_id == a.id, v.version == a.version),
    )
    .where(_MINE, a.trigger_kind == bindparam("b_trigger"), a.state == "on")
    .order_by(a.id),
    row=DefinedAutomation,
)
# Whether somebody was ever asked, and whether a first message begins something.
INTEREST = Query(
    select(
        exists().where(automation_ratings.c.account_id == bindparam("b_account")).label("asks"),
        exists().where(_MINE, a.trigger_kind == "first_message", a.state == "on").label("welcomes"),
    ),
    row=InterestRow,
)
SWEEPS = Query(
    across_accounts(
        select(automations).where(a.sweep_at.is_not(None), a.sweep_at <= bindparam("now")).order_by(a.sweep_at, a.id),
        "one look finds the automations of every account that wait for a day",
    ),
    row=AutomationRow,
)
SWEPT = Query(update(automations).where(_ONE, a.state == "on").values(sweep_at=bindparam("new_sweep")))

KEEP_VERSION = Query(insert(automation_versions).values(columns(automation_versions)))
VERSION = Query(
    select(v.definition).where(
        v.account_id == bindparam("b_account"),
        v.automation_id == bindparam("b_automation"),
        v.version == bindparam("b_version"),
    ),
    row=DefinitionRow,
)
