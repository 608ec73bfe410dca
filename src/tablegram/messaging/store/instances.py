"""Statements on lines."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, insert, select, update

from tablegram.messaging.rows.lines import HomeRow, LineRow, LinesInState, LineStateRow, ListedLine, WhichLine
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import instances, line_states

i = instances.c
_MINE = i.account_id == bindparam("b_account")
_ONE = and_(_MINE, i.id == bindparam("b_id"), i.deleted_at.is_(None))

INSERT = Query(
    insert(instances)
    .values(
        columns(
            instances,
            "account_id",
            "kind",
            "name",
            "state",
            "reason",
            "state_at",
            "is_default",
            "hook_key",
            "config",
            "secrets",
            "pace_milli",
            "created_at",
        )
    )
    .returning(i.id),
    row=WhichLine,
)
LIST = Query(
    select(instances)
    .where(_MINE, i.deleted_at.is_(None), i.id > bindparam("after"))
    .order_by(i.id)
    .limit(bindparam("most")),
    row=LineRow,
)
OF_ACCOUNT = Query(select(instances).where(_MINE, i.deleted_at.is_(None)).order_by(i.id), row=LineRow)
GET = Query(select(instances).where(_ONE), row=LineRow)
LOCK = Query(select(instances).where(_ONE).with_for_update(), row=LineRow)
EVERY = Query(
    across_accounts(
        select(instances).where(i.deleted_at.is_(None)).order_by(i.id),
        "the engine keeps every line of the installation",
    ),
    row=LineRow,
)
HOME = Query(
    across_accounts(
        select(i.id, i.account_id).where(i.id == bindparam("b_line"), i.deleted_at.is_(None)),
        "the engine keeps every line of the installation",
    ),
    row=HomeRow,
)
LISTED = Query(
    across_accounts(
        select(i.id, i.account_id, i.kind, i.name, i.state).where(i.deleted_at.is_(None)).order_by(i.id),
        "a look at the installation",
    ),
    row=ListedLine,
)
BY_STATE = Query(
    across_accounts(
        select(i.kind, i.state, func.count().label("n")).where(i.deleted_at.is_(None)).group_by(i.kind, i.state),
        "figures of the installation",
    ),
    row=LinesInState,
)
DELETED_LINKED = Query(
    across_accounts(
        select(i.id).where(i.deleted_at.is_not(None), i.kind == "linked"),
        "a machine puts away the files of every account's deleted lines",
    ),
    row=WhichLine,
)
BY_HOOK_KEY = Query(
    across_accounts(
        select(instances).where(i.hook_key == bindparam("hook_key"), i.deleted_at.is_(None)),
        "a callback names its line by an unguessable key, before any account is known",
    ),
    row=LineRow,
)
UPDATE = Query(
    update(instances)
    .where(_ONE)
    .values(
        name=bindparam("name"),
        config=bindparam("config"),
        secrets=bindparam("secrets"),
        pace_milli=bindparam("pace_milli"),
        state=bindparam("state"),
        reason=bindparam("reason"),
        state_at=bindparam("now"),
        standing=bindparam("standing", type_=i.standing.type),
    )
)
# Only what is still as it was read: a change that came in between is sealed with the present key already.
RESEAL = Query(update(instances).where(_ONE, i.secrets == bindparam("b_sealed")).values(secrets=bindparam("fresh")))
# The same for what the network tells of the line.
LEARN = Query(update(instances).where(_ONE, i.config == bindparam("b_config")).values(config=bindparam("fresh")))
SET_STATE = Query(
    update(instances)
    .where(_ONE)
    .values(
        state=bindparam("state"), reason=bindparam("reason"), state_at=bindparam("now"), state_until=bindparam("until")
    )
)
# What the network thinks of the line, and how it stands since.
STAND = Query(
    update(instances)
    .where(_ONE)
    .values(
        standing=bindparam("standing", type_=i.standing.type),
        state=bindparam("state"),
        reason=bindparam("reason"),
        state_at=bindparam("now"),
    )
)
# How a line stood, and since when.
h = line_states.c
ADD_STATE = Query(insert(line_states).values(columns(line_states)))
_HISTORY = (
    select(line_states)
    .where(h.account_id == bindparam("b_account"), h.instance_id == bindparam("b_id"))
    .order_by(h.id.desc())
    .limit(bindparam("most"))
)
STATES = Query(_HISTORY, row=LineStateRow)
STATES_BEFORE = Query(_HISTORY.where(h.id < bindparam("before")), row=LineStateRow)
SHOOK_HANDS = Query(update(instances).where(_ONE).values(handshake_at=bindparam("now")))
HEARD = Query(update(instances).where(_ONE, i.heard_at.is_(None)).values(heard_at=bindparam("now")))
CLEAR_DEFAULT = Query(update(instances).where(_MINE, i.is_default == 1).values(is_default=0))
SET_DEFAULT = Query(update(instances).where(_ONE).values(is_default=1))
DELETE = Query(
    update(instances)
    .where(_ONE)
    .values(deleted_at=bindparam("now"), is_default=0, secrets="", hook_key=bindparam("dead_key"))
)
