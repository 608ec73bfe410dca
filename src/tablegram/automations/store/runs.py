"""Statements on runs and the steps that they made."""

from __future__ import annotations

from sqlalchemy import BigInteger, Text, and_, bindparam, case, cast, func, null, or_, select, update

from tablegram.automations.rows import (
    Counted,
    DueRun,
    FiguresRow,
    LapsedRow,
    MessageCount,
    OrderedRow,
    RevenueRow,
    RunCount,
    RunRow,
    StepRow,
    UnsentRow,
    VisitCount,
    VisitRow,
    WaitingAt,
    WithId,
    WrittenTo,
)
from tablegram.engine.rows import Backlog
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import (
    automation_runs,
    automation_visits,
    automations,
    contacts,
    customer_figures,
    customer_orders,
    messages,
)

r, v, a, m = automation_runs.c, automation_visits.c, automations.c, messages.c
k, f, p = customer_orders.c, customer_figures.c, contacts.c
_MINE = r.account_id == bindparam("b_account")
_ONE = and_(_MINE, r.id == bindparam("b_id"))
_OF = and_(_MINE, r.automation_id == bindparam("b_automation"))

# An occasion that began before begins nothing.
BEGIN = Query(
    lambda dialect_insert: (
        dialect_insert(automation_runs)
        .values(columns(automation_runs))
        .on_conflict_do_nothing(index_elements=["account_id", "automation_id", "contact_id", "occasion"])
    )
)
GET = Query(select(automation_runs).where(_ONE), row=RunRow)
LOCK = Query(select(automation_runs).where(_ONE).with_for_update(), row=RunRow)
DUE = Query(
    across_accounts(
        select(r.account_id, r.id, r.automation_id, r.step)
        .join(automations, and_(a.account_id == r.account_id, a.id == r.automation_id))
        .where(r.due_at.is_not(None), r.due_at <= bindparam("now"), a.state == "on")
        .order_by(r.due_at, r.id)
        .limit(bindparam("most")),
        "one look finds everybody of every account whose next step is due",
    ),
    row=DueRun,
)
WAITING = Query(
    across_accounts(
        select(func.count().label("n"), func.min(r.due_at).label("oldest"))
        .join(automations, and_(a.account_id == r.account_id, a.id == r.automation_id))
        .where(r.due_at.is_not(None), a.state == "on"),
        "a figure of the installation",
    ),
    row=Backlog,
)
# The step that was made is compared, so that nobody makes it again.
_AT_STEP = and_(_ONE, r.state == "waiting", r.step == bindparam("b_step"))
GO_ON = Query(
    update(automation_runs)
    .where(_AT_STEP)
    .values(step=bindparam("new_step"), due_at=bindparam("new_due"), coupon_code=bindparam("new_code"))
)
LATER = Query(update(automation_runs).where(_AT_STEP).values(due_at=bindparam("new_due")))
END = Query(
    update(automation_runs)
    .where(_AT_STEP)
    .values(
        state=bindparam("new_state"),
        reason=bindparam("new_reason"),
        due_at=null(),
        ended_at=bindparam("now"),
    )
)
MOVE_TO = Query(update(automation_runs).where(_ONE).values(contact_id=bindparam("target")))
OF_OCCASION = Query(
    select(r.id).where(_OF, r.contact_id == bindparam("b_contact"), r.occasion == bindparam("b_occasion")), row=WithId
)
STOP_ALL = Query(
    update(automation_runs)
    .where(_OF, r.state == "waiting")
    .values(state="stopped", reason=bindparam("new_reason"), due_at=null(), ended_at=bindparam("now"))
)
_PAGE = select(automation_runs).where(_OF, r.id < bindparam("before")).order_by(r.id.desc()).limit(bindparam("most"))
PAGE = Query(_PAGE, row=RunRow)
PAGE_OF_STATE = Query(_PAGE.where(r.state == bindparam("b_state")), row=RunRow)

VISIT = Query(
    lambda dialect_insert: (
        dialect_insert(automation_visits)
        .values(columns(automation_visits))
        .on_conflict_do_nothing(index_elements=["account_id", "run_id", "step"])
        .returning(v.step)
    ),
    row=StepRow,
)
VISITS = Query(
    select(automation_visits)
    .where(v.account_id == bindparam("b_account"), v.run_id == bindparam("b_run"))
    .order_by(v.step),
    row=VisitRow,
)
# Advertising to somebody since then.
OF_CONTACT_SINCE = Query(
    select(v.contact_id, func.count().label("n"))
    .where(
        v.account_id == bindparam("b_account"),
        v.contact_id == bindparam("b_contact"),
        v.at >= bindparam("since"),
        v.state == "sent",
        v.is_marketing == 1,
    )
    .group_by(v.contact_id),
    row=WrittenTo,
    bulk=True,
)

# Why somebody got nothing, the newest first. What the house was not told is no matter of theirs.
_KEY = v.run_id.concat("/").concat(cast(v.step, Text))
UNSENT = Query(
    select(v.automation_id, a.name, v.kind, v.reason, v.at, _KEY.label("key"))
    .join(automations, and_(a.account_id == v.account_id, a.id == v.automation_id))
    .where(
        v.account_id == bindparam("b_account"),
        v.contact_id == bindparam("b_contact"),
        v.state == "skipped",
        v.kind != "notify",
        or_(v.at < bindparam("before_at"), and_(v.at == bindparam("before_at"), bindparam("before_key") > _KEY)),
        or_(
            bindparam("only_reason", type_=v.reason.type) == "",
            v.reason == bindparam("only_reason", type_=v.reason.type),
        ),
    )
    .order_by(v.at.desc(), _KEY.desc())
    .limit(bindparam("most")),
    row=UnsentRow,
)

# Reports.
COUNTS = Query(select(r.state, r.reason, func.count().label("n")).where(_OF).group_by(r.state, r.reason), row=RunCount)
AT_STEPS = Query(
    select(r.version, r.step, func.count().label("n")).where(_OF, r.state == "waiting").group_by(r.version, r.step),
    row=WaitingAt,
)
_VISITED = and_(v.account_id == bindparam("b_account"), v.automation_id == bindparam("b_automation"))
STEPS = Query(
    select(v.version, v.step, v.kind, v.state, v.reason, func.count().label("n"))
    .where(_VISITED)
    .group_by(v.version, v.step, v.kind, v.state, v.reason),
    row=VisitCount,
)
BECAME = Query(
    select(v.version, v.step, m.state, func.count().label("n"))
    .join(messages, and_(m.account_id == v.account_id, m.id == v.message_key))
    .where(_VISITED, v.state == "sent")
    .group_by(v.version, v.step, m.state),
    row=MessageCount,
)
# Who was written to, by the first message of each run.
_reply = messages.alias()
_FIRST = (
    select(v.run_id, v.contact_id, func.min(v.at).label("at"), func.min(v.message_key).label("message_key"))
    .where(_VISITED, v.state == "sent", v.kind != "notify")
    .group_by(v.run_id, v.contact_id)
    .subquery()
)
REPLIED = Query(
    select(func.count(_FIRST.c.run_id.distinct()).label("n"))
    .select_from(_FIRST)
    .join(messages, and_(m.account_id == bindparam("b_account"), m.id == _FIRST.c.message_key))
    .join(
        _reply,
        and_(
            _reply.c.account_id == bindparam("b_account"),
            _reply.c.phone == m.phone,
            told_apart(_reply.c.direction) == "in",
            _reply.c.created_at > _FIRST.c.at,
            _reply.c.created_at <= _FIRST.c.at + bindparam("within", type_=m.created_at.type),
        ),
    ),
    row=Counted,
)
ORDERED = Query(
    select(
        k.currency,
        func.count(k.order_key.distinct()).label("orders"),
        func.count(_FIRST.c.contact_id.distinct()).label("people"),
    )
    .select_from(_FIRST)
    .join(
        customer_orders,
        and_(
            k.account_id == bindparam("b_account"),
            k.contact_id == _FIRST.c.contact_id,
            k.at > _FIRST.c.at,
            k.at <= _FIRST.c.at + bindparam("within", type_=k.at.type),
        ),
    )
    .group_by(k.currency),
    row=OrderedRow,
)
_BOUGHT = (
    select(k.order_key, k.currency, k.amount)
    .select_from(_FIRST)
    .join(
        customer_orders,
        and_(
            k.account_id == bindparam("b_account"),
            k.contact_id == _FIRST.c.contact_id,
            k.at > _FIRST.c.at,
            k.at <= _FIRST.c.at + bindparam("within", type_=k.at.type),
        ),
    )
    .distinct()
    .subquery()
)
REVENUE = Query(
    select(_BOUGHT.c.currency, cast(func.sum(_BOUGHT.c.amount), BigInteger).label("amount")).group_by(
        _BOUGHT.c.currency
    ),
    row=RevenueRow,
)
# Of several at once, for a list.
FIGURES = Query(
    select(
        func.count().label("started"),
        func.coalesce(func.sum(case((r.state == "waiting", 1), else_=0)), 0).label("waiting"),
        func.coalesce(func.sum(case((r.state == "finished", 1), else_=0)), 0).label("finished"),
    ).where(_OF),
    row=FiguresRow,
)
SENT = Query(select(func.count().label("n")).where(_VISITED, v.state == "sent"), row=Counted)

# Whom a day is for.
LAPSED = Query(
    select(f.contact_id, f.last_at)
    .where(
        f.account_id == bindparam("b_account"),
        f.last_at > bindparam("since"),
        f.last_at <= bindparam("until"),
        or_(
            f.last_at > bindparam("after_at"),
            and_(f.last_at == bindparam("after_at"), f.contact_id > bindparam("after_id")),
        ),
    )
    .order_by(f.last_at, f.contact_id)
    .limit(bindparam("most")),
    row=LapsedRow,
)
BORN = Query(
    select(p.id)
    .where(
        p.account_id == bindparam("b_account"),
        p.birthday == bindparam("b_day"),
        p.birthday != "",
        p.merged_into.is_(None),
        p.id > bindparam("after_id"),
    )
    .order_by(p.id)
    .limit(bindparam("most")),
    row=WithId,
)

# A person, in all automations.
_PERSONS = and_(_MINE, r.contact_id == bindparam("b_contact"))
OF_CONTACT = Query(select(automation_runs).where(_PERSONS).order_by(r.id), row=RunRow, bulk=True)
LEAVE = Query(
    update(automation_runs)
    .where(_PERSONS, r.state == "waiting")
    .values(state="stopped", reason="gone", due_at=null(), ended_at=bindparam("now"))
)
_others = automation_runs.alias()
# Who was on the same way for the same occasion stays where they are, and is not written to twice.
MOVE_RUNS = Query(
    update(automation_runs)
    .where(
        _PERSONS,
        r.automation_id.concat("/")
        .concat(r.occasion)
        .not_in(
            select(_others.c.automation_id.concat("/").concat(_others.c.occasion)).where(
                _others.c.account_id == bindparam("b_account"), _others.c.contact_id == bindparam("target")
            )
        ),
    )
    .values(contact_id=bindparam("target"))
)
MOVE_VISITS = Query(
    update(automation_visits)
    .where(v.account_id == bindparam("b_account"), v.contact_id == bindparam("b_contact"))
    .values(contact_id=bindparam("target"))
)
FORGET_RUNS = Query(update(automation_runs).where(_PERSONS).values(order_id="", coupon_code="", venue_id=""))
FORGET_VISITS = Query(
    update(automation_visits)
    .where(v.account_id == bindparam("b_account"), v.contact_id == bindparam("b_contact"))
    .values(message_key=null())
)
