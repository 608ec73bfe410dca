"""Statements on tickets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, select, update

from tablegram.printing.rows import TicketRow, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns, read_by, told_apart
from tablegram.storage.tables import print_jobs, tickets

t = tickets.c
j = print_jobs.c
_MINE = t.account_id == bindparam("b_account")

# An event of an order that is told again makes no second ticket.
INSERT = Query(
    lambda dialect_insert: (
        dialect_insert(tickets)
        .values(columns(tickets))
        .on_conflict_do_nothing(
            index_elements=["account_id", "order_key", "revision", "station", "kind", "part"],
        )
        .returning(t.id)
    ),
    row=WithId,
)
GET = Query(select(tickets).where(_MINE, t.id == bindparam("b_id")), row=TicketRow)
OF_ORDER = Query(select(tickets).where(_MINE, t.order_key == bindparam("b_order")).order_by(t.id), row=TicketRow)
WRITE_CONTENT = Query(update(tickets).where(_MINE, t.id == bindparam("b_id")).values(content=bindparam("new_content")))


def page(
    account_id: int, *, venue_id: str | None, order_key: str | None, kind: str | None, printer_id: str | None,
    after: str | None, most: int,
) -> Query[TicketRow]:  # fmt: skip
    """Newest first."""
    mine = t.account_id == account_id
    found = select(tickets).where(mine)
    given: list[tuple[ColumnElement[str], str | None]] = [(t.venue_id, venue_id), (t.kind, kind)]
    key: ColumnElement[str] = t.id
    if order_key is not None:
        # An order has few: all else is told apart among them.
        found, key = found.where(t.order_key == order_key), told_apart(t.id)
        given = [(told_apart(column), value) for column, value in given]
        if printer_id is not None:
            job = select(j.id).where(mine, j.account_id == account_id, j.ticket_id == t.id, j.printer_id == printer_id)
            found = found.where(job.exists())
    elif printer_id is not None:
        found, key = _of_printer(account_id, printer_id), j.ticket_id
    for column, value in given:
        if value is not None:
            found = found.where(column == value)
    if after is not None:
        found = found.where(key < after)
    return Query(found.order_by(key.desc()).limit(most), row=TicketRow)


def _of_printer(account_id: int, printer_id: str) -> Select[Any]:
    """Its jobs are walked, by ticket; one with several is met at the first of them."""
    mine, other = t.account_id == account_id, print_jobs.alias("other")
    same = (other.c.account_id == account_id, other.c.printer_id == printer_id, other.c.ticket_id == t.id)
    first = select(func.min(told_apart(other.c.id))).where(mine, *same).correlate(tickets).scalar_subquery()
    walked = (
        select(tickets)
        .select_from(print_jobs.join(tickets, t.id == told_apart(j.ticket_id)))
        # No smaller one, in words of which a server expects that many rows fit: it walks and ends with the page.
        .where(mine, j.account_id == account_id, j.printer_id == printer_id, j.id <= first)
    )
    return read_by("ix_print_jobs_printer", print_jobs, walked)


def of_orders(account_id: int, order_keys: Sequence[str]) -> Query[TicketRow]:
    return Query(
        select(tickets).where(t.account_id == account_id, t.order_key.in_(order_keys)).order_by(t.id), row=TicketRow
    )
