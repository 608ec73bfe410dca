"""Statements on tickets."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, bindparam, select, update

from tablegram.printing.rows import TicketRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns, told_apart
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
    )
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
        found = found.where(t.order_key == order_key)
        key = told_apart(t.id)
        given = [(told_apart(column), value) for column, value in given]
    for column, value in given:
        if value is not None:
            found = found.where(column == value)
    if printer_id is not None:
        job = select(j.id).where(mine, j.account_id == account_id, j.ticket_id == t.id, j.printer_id == printer_id)
        found = found.where(job.exists())
    if after is not None:
        found = found.where(key < after)
    return Query(found.order_by(key.desc()).limit(most), row=TicketRow)


def of_orders(account_id: int, order_keys: Sequence[str]) -> Query[TicketRow]:
    return Query(
        select(tickets).where(t.account_id == account_id, t.order_key.in_(order_keys)).order_by(t.id), row=TicketRow
    )
