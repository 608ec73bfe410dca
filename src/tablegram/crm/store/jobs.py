"""Statements on work that is done with many contacts."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, insert, select, update

from tablegram.crm.rows import JobRow
from tablegram.engine.rows import Backlog
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import contact_jobs

j = contact_jobs.c
_ONE = and_(j.account_id == bindparam("b_account"), j.id == bindparam("b_id"))

INSERT = Query(insert(contact_jobs).values(columns(contact_jobs)))
GET = Query(select(contact_jobs).where(_ONE), row=JobRow)
PAGE = Query(
    select(contact_jobs)
    .where(j.account_id == bindparam("b_account"), j.id < bindparam("before"))
    .order_by(j.id.desc())
    .limit(bindparam("most")),
    row=JobRow,
)
LOCK = Query(select(contact_jobs).where(_ONE).with_for_update(), row=JobRow)
UNDER_WAY = Query(
    select(contact_jobs)
    .where(j.account_id == bindparam("b_account"), j.state == "running")
    .order_by(j.created_at, j.id)
    .limit(bindparam("most")),
    row=JobRow,
)
# Who was chosen is not kept longer than it is needed.
ADVANCE = Query(
    update(contact_jobs)
    .where(_ONE, j.state == "running", j.behind < bindparam("far"))
    .values(behind=bindparam("far"), done=j.done + bindparam("more"))
)
FINISH = Query(
    update(contact_jobs)
    .where(_ONE, j.state == "running")
    .values(state="done", chosen="{}", finished_at=bindparam("now"))
)
RUNNING = Query(
    across_accounts(
        select(contact_jobs).where(j.state == "running").order_by(j.created_at, j.id).limit(bindparam("most")),
        "the engine works for every account",
    ),
    row=JobRow,
)
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(j.created_at).label("oldest")).where(j.state == "running"),
        "figures of the installation",
    ),
    row=Backlog,
)
