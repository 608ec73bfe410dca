"""Statements on the queue of print jobs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sqlalchemy import ColumnElement, and_, bindparam, case, func, insert, literal_column, or_, select, update

from tablegram.engine.rows import Backlog
from tablegram.printing.rows import (
    FenceRow,
    HeldJob,
    JobRow,
    MadeRow,
    OverdueJob,
    PrinterOfJobs,
    QueueRow,
    WithId,
    WrittenJob,
)
from tablegram.storage.database import Query
from tablegram.storage.moment import DatabaseNow
from tablegram.storage.query import columns, read_by, told_apart
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import print_jobs, printers, tickets

j = print_jobs.c
t = tickets.c
_MINE = j.account_id == bindparam("b_account")
_ONE = and_(_MINE, j.id == bindparam("b_id"))
_ITS = and_(_MINE, j.printer_id == bindparam("b_printer"))
# Written out, as in the indexes of what waits: a value that comes later would lead to no index that is only of some rows.
_QUEUED: ColumnElement[str] = literal_column("'queued'")
_CLAIMED: ColumnElement[str] = literal_column("'claimed'")
_LOST: ColumnElement[str] = literal_column("'failed'")
_WAITS = j.state.in_([_QUEUED, _CLAIMED])
_OPEN = or_(_WAITS, and_(j.state == _LOST, j.alerted_at.is_(None)))

# By the index of what waits, and not of all that the printer ever had.
_read_waiting = partial(read_by, "ix_print_jobs_waiting", print_jobs)

INSERT = Query(insert(print_jobs).values(columns(print_jobs)))
_HELD = and_(j.state == _CLAIMED, j.lease_until >= DatabaseNow())
_WITH_TICKET = (
    select(print_jobs, t.content, _HELD.label("is_held"))
    .select_from(print_jobs.join(tickets, and_(t.account_id == j.account_id, t.id == j.ticket_id)))
    .where(_ITS)
)
# The first in line, whatever holds it up; what is in the printer's hands comes first.
HEAD = Query(
    _read_waiting(
        _WITH_TICKET.where(_WAITS, or_(j.state == _CLAIMED, j.expires_at > bindparam("now")))
        .order_by(case((j.state == _CLAIMED, 0), else_=1), j.id)
        .limit(1)
    ),
    row=HeldJob,
)
IN_HAND = Query(_WITH_TICKET.where(_HELD).limit(1), row=HeldJob)
GET = Query(_WITH_TICKET.where(j.id == bindparam("b_id")), row=HeldJob)
# Nobody answered for it in time: it may be on paper, and says so when it comes out again.
TAKE_BACK = Query(
    update(print_jobs)
    .where(_ITS, j.state == _CLAIMED, j.lease_until < DatabaseNow())
    .values(state="queued", doubt=1, lease_until=None, error="no_answer")
)
CLAIM = Query(
    update(print_jobs)
    .where(_ONE, j.state == _QUEUED, j.expires_at > bindparam("now"))
    .values(
        state="claimed",
        attempt=j.attempt + 1,
        fence=j.fence + 1,
        lease_until=DatabaseNow() + bindparam("length_ms"),
        claimed_by=bindparam("new_by"),
        claimed_at=bindparam("now"),
    )
    .returning(j.fence),
    row=FenceRow,
)
# Also where the lease has run out meanwhile, as long as nobody claimed it since: what is on paper is on paper.
PRINTED = Query(
    update(print_jobs)
    .where(_ITS, j.id == bindparam("b_id"), _WAITS, j.fence == bindparam("b_fence"), j.attempt > 0)
    .values(state="printed", lease_until=None, error="", ended_at=bindparam("now"))
    .returning(j.created_at),
    row=MadeRow,
)
FAILED = Query(
    update(print_jobs)
    .where(_ITS, j.id == bindparam("b_id"), j.state == _CLAIMED, j.fence == bindparam("b_fence"))
    .values(
        state=bindparam("new_state"),
        lease_until=None,
        error=bindparam("new_error"),
        doubt=case((j.doubt == 1, 1), else_=bindparam("new_doubt", type_=j.doubt.type)),
        due_at=bindparam("new_due"),
        ended_at=bindparam("new_ended"),
    )
)
# What waits in all queues, by printer: asked every second or so, and answered from the index of what waits.
WAITING = Query(
    across_accounts(
        select(j.account_id, j.printer_id).where(_WAITS).distinct(),
        "one look finds what waits for the printers of every account",
    ),
    row=PrinterOfJobs,
)
DEPTH = Query(
    across_accounts(
        select(func.count().label("n"), func.min(j.created_at).label("oldest")).where(_WAITS),
        "a figure of the whole installation",
    ),
    row=Backlog,
)
# What the clock has to look at; it decides by the printer's own times.
_PRINTER = print_jobs.join(printers, and_(printers.c.account_id == j.account_id, printers.c.id == j.printer_id))
OVERDUE = Query(
    across_accounts(
        select(
            print_jobs,
            t.content,
            t.station,
            t.kind,
            printers.c.name.label("printer_name"),
            printers.c.fallback_id,
            printers.c.fallback_after_s,
            _HELD.label("is_held"),
        )
        .select_from(_PRINTER.join(tickets, and_(t.account_id == j.account_id, t.id == j.ticket_id)))
        .where(
            _OPEN,
            or_(
                and_(
                    _WAITS,
                    or_(
                        j.expires_at <= bindparam("now"),
                        and_(j.alerted_at.is_(None), j.created_at <= bindparam("alert_before")),
                        and_(
                            printers.c.fallback_id.is_not(None),
                            j.created_at + printers.c.fallback_after_s * 1_000 <= bindparam("now"),
                        ),
                    ),
                ),
                and_(j.state == _LOST, j.alerted_at.is_(None)),
            ),
        )
        .order_by(j.created_at, j.id)
        .limit(500),
        "the clock looks after the jobs of every account",
    ),
    row=OverdueJob,
)
# Not while it is in the printer's hands: what comes out of it now is not old.
EXPIRE = Query(
    update(print_jobs)
    .where(
        _ONE,
        or_(j.state == _QUEUED, and_(j.state == _CLAIMED, j.lease_until < DatabaseNow())),
        j.expires_at <= bindparam("now"),
    )
    .values(state="expired", lease_until=None, ended_at=bindparam("now"))
)
# Another printer has it now.
PASS_ON = Query(
    update(print_jobs)
    .where(_ONE, or_(j.state == _QUEUED, and_(j.state == _CLAIMED, j.lease_until < DatabaseNow())))
    .values(state="dropped", lease_until=None, error="taken_over", ended_at=bindparam("now"))
)
ALERTED = Query(update(print_jobs).where(_ONE, j.alerted_at.is_(None)).values(alerted_at=bindparam("now")))
# Of the last minutes, by the time in their ids.
ALERTS_SINCE = Query(
    select(j.id)
    .where(
        _MINE,
        told_apart(j.printer_id) == bindparam("b_printer"),
        j.id > bindparam("since_id"),
        j.alerted_at > bindparam("since"),
    )
    .limit(500),
    row=WithId,
)
# The printer is gone for good.
DROP_ALL = Query(
    _read_waiting(
        update(print_jobs)
        .where(_ITS, _WAITS)
        .values(state="dropped", lease_until=None, error="printer_removed", ended_at=bindparam("now"))
    )
)
# The same of a venue: what people were told of, and what was printed again since.
TOLD_SINCE = Query(
    select(print_jobs, t.content)
    .select_from(print_jobs.join(tickets, and_(t.account_id == j.account_id, t.id == j.ticket_id)))
    .where(
        _MINE,
        j.id > bindparam("since"),
        j.venue_id == bindparam("b_venue"),
        or_(j.alerted_at.is_not(None), j.reprint > 0),
    )
    .order_by(j.id)
    .limit(500),
    row=WrittenJob,
)
# Few, put in order by themselves: a file would walk all jobs in their order instead.
_IN_ORDER = told_apart(j.id)
OF_TICKET = Query(select(print_jobs).where(_MINE, j.ticket_id == bindparam("b_ticket")).order_by(_IN_ORDER), row=JobRow)
QUEUES = Query(select(j.printer_id, func.count().label("n")).where(_MINE, _WAITS).group_by(j.printer_id), row=QueueRow)


def of_tickets(account_id: int, ticket_ids: Sequence[str]) -> Query[JobRow]:
    return Query(
        select(print_jobs).where(j.account_id == account_id, j.ticket_id.in_(ticket_ids)).order_by(_IN_ORDER),
        row=JobRow,
    )
