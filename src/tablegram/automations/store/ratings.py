"""Statements on what guests answered."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, literal_column, select, update

from tablegram.automations.rows import Counted, RatingCount, RatingRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.tables import automation_ratings

q = automation_ratings.c
_MINE = q.account_id == bindparam("b_account")
_ONE = and_(_MINE, q.run_id == bindparam("b_run"))
_PERSONS = and_(_MINE, q.contact_id == bindparam("b_contact"))

ASK = Query(
    lambda dialect_insert: (
        dialect_insert(automation_ratings)
        .values(columns(automation_ratings))
        .on_conflict_do_nothing(index_elements=["account_id", "run_id"])
    )
)
GET = Query(select(automation_ratings).where(_ONE), row=RatingRow)
# What somebody was asked last.
LAST = Query(
    select(automation_ratings)
    .where(_PERSONS, q.asked_at >= bindparam("since"))
    .order_by(q.asked_at.desc(), q.run_id.desc())
    .limit(1),
    row=RatingRow,
)
# The first answer counts.
ANSWER = Query(
    update(automation_ratings)
    .where(_ONE, q.rating.is_(None))
    .values(rating=bindparam("new_rating"), is_open=bindparam("new_open"), answered_at=bindparam("now"))
)
COMMENT = Query(update(automation_ratings).where(_ONE, q.comment == "").values(comment=bindparam("new_comment")))
CLOSE = Query(
    update(automation_ratings)
    .where(_ONE, q.is_open == 1)
    .values(is_open=0, closed_by=bindparam("by"), closed_at=bindparam("now"))
)
OPEN = Query(select(func.count().label("n")).where(_MINE, q.is_open == 1), row=Counted)
OPEN_OF = Query(
    select(func.count().label("n")).where(_MINE, q.automation_id == bindparam("b_automation"), q.is_open == 1),
    row=Counted,
)
PAGE = Query(
    select(automation_ratings)
    .where(
        _MINE,
        q.automation_id == bindparam("b_automation"),
        q.rating.is_not(None),
        q.run_id < bindparam("before"),
    )
    .order_by(q.run_id.desc())
    .limit(bindparam("most")),
    row=RatingRow,
)
# Few are open at any time, and those are in an index: all else is told apart among them.
_run = told_apart(q.run_id)
OPEN_PAGE = Query(
    select(automation_ratings)
    .where(
        _MINE,
        q.is_open == literal_column("1"),
        told_apart(q.automation_id) == bindparam("b_automation"),
        q.rating.is_not(None),
        _run < bindparam("before"),
    )
    .order_by(_run.desc())
    .limit(bindparam("most")),
    row=RatingRow,
)
SPREAD = Query(
    select(q.rating, func.count().label("n"))
    .where(_MINE, q.automation_id == bindparam("b_automation"))
    .group_by(q.rating),
    row=RatingCount,
)
OF_CONTACT = Query(select(automation_ratings).where(_PERSONS).order_by(q.run_id), row=RatingRow, bulk=True)
MOVE = Query(update(automation_ratings).where(_PERSONS).values(contact_id=bindparam("target")))
FORGET = Query(update(automation_ratings).where(_PERSONS).values(comment="", order_id="", is_open=0))
