"""Statements on what the network said that is nobody's message."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from tablegram.messaging.rows.lines import NoticeRow
from tablegram.messaging.rows.messages import KeyRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.tables import network_notices

n = network_notices.c

KEEP = Query(
    lambda dialect_insert: (
        dialect_insert(network_notices).values(columns(network_notices)).on_conflict_do_nothing().returning(n.id)
    ),
    row=KeyRow,
)
GET = Query(
    select(network_notices).where(n.account_id == bindparam("b_account"), n.id == bindparam("b_id")), row=NoticeRow
)


def page(
    account_id: int, *, words: list[str], kinds: tuple[str, ...], line_id: int | None, before: str, most: int
) -> Query[NoticeRow]:
    """The newest first. Every word must be somewhere in it."""
    statement = select(network_notices).where(n.account_id == account_id).order_by(n.id.desc()).limit(most)
    for word in words:
        statement = statement.where(n.words.contains(word, autoescape=True))
    if kinds:
        statement = statement.where(n.kind.in_(kinds))
    if line_id is not None:
        statement = statement.where(n.instance_id == line_id)
    return Query(statement.where(n.id < before) if before else statement, row=NoticeRow)
