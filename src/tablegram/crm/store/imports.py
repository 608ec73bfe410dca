"""Statements on imports. The rows of a table are kept until they are all in, and no longer."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, insert, null, select, update

from tablegram.crm.rows import Counted, HeldImport, ImportProgress, ImportRow, ImportTable, WhichImport
from tablegram.engine.rows import Backlog
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import imports

i = imports.c
_ONE = and_(i.account_id == bindparam("b_account"), i.id == bindparam("b_id"))
# Everything but the table itself.
_SHOWN = [column for column in imports.columns if column.name != "rows"]

INSERT = Query(insert(imports).values(columns(imports)))
GET = Query(select(*_SHOWN).where(_ONE), row=ImportRow)
ROWS = Query(select(imports).where(_ONE), row=ImportTable)
LOCK = Query(select(i.account_id, i.id, i.state, i.done).where(_ONE).with_for_update(), row=ImportProgress)
PAGE = Query(
    select(*_SHOWN)
    .where(i.account_id == bindparam("b_account"), i.id < bindparam("before"))
    .order_by(i.id.desc())
    .limit(bindparam("most")),
    row=ImportRow,
)
OPEN = Query(
    select(func.count().label("n")).where(i.account_id == bindparam("b_account"), i.state.in_(["checked", "running"])),
    row=Counted,
)
START = Query(update(imports).where(_ONE, i.state == "checked").values(state="running", rows=bindparam("new_rows")))
REFUSE = Query(
    update(imports).where(_ONE, i.state == "checked").values(state="refused", rows=null(), finished_at=bindparam("now"))
)
# The tables that are not in yet, and how one of them loses a row.
HELD = Query(
    select(i.account_id, i.id, i.state, i.rows).where(
        i.account_id == bindparam("b_account"), i.state.in_(["checked", "running"]), i.rows.is_not(None)
    ),
    row=HeldImport,
)
REPLACE_ROWS = Query(
    update(imports).where(_ONE, i.state == "checked").values(rows=bindparam("new_rows"), total=bindparam("new_total"))
)
ADVANCE = Query(
    update(imports)
    .where(_ONE, i.state == "running")
    .values(done=bindparam("far"), skipped=i.skipped + bindparam("more_skipped"))
)
FINISH = Query(
    update(imports).where(_ONE, i.state == "running").values(state="done", rows=null(), finished_at=bindparam("now"))
)
RUNNING = Query(
    across_accounts(
        select(i.account_id, i.id).where(i.state == "running").order_by(i.created_at, i.id),
        "the engine works for every account",
    ),
    row=WhichImport,
)
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(i.created_at).label("oldest")).where(i.state == "running"),
        "figures of the installation",
    ),
    row=Backlog,
)
# A table that nobody agreed to is not kept for ever.
FORGET_OLD = Query(
    across_accounts(
        update(imports)
        .where(i.state == "checked", i.created_at < bindparam("before"))
        .values(state="refused", rows=null(), finished_at=bindparam("now")),
        "retention is the installation's",
    )
)
