"""Whose turn it is: a message that is to go at once is stored together with the question whether it would overtake another."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnClause, and_, exists, literal_column, or_

from tablegram.messaging.rows.messages import TurnRow
from tablegram.messaging.store.messages import NEW, m
from tablegram.storage.database import Query
from tablegram.storage.tables import messages

# Somebody waits whom the new message must not overtake: one for the same recipient that is due, or is to be tried again,
# whichever process stored it. One that is to go later, or has less haste, holds nobody up. It is written without values
# of its own, so that many rows go in one statement.
_before = messages.alias("before").c


def _new(name: str) -> ColumnClause[Any]:
    """A column of the row that is stored."""
    return literal_column(f"messages.{name}")


_OVERTAKES = exists().where(
    _before.account_id == _new("account_id"),
    _before.phone == _new("phone"),
    # No part of an index here: a server might take the queue of the whole line for the shorter way to one recipient's.
    _before.instance_id + literal_column("0") == _new("instance_id"),
    _before.state == literal_column("'queued'"),
    _before.priority <= _new("priority"),
    _before.due_at.is_not(None),
    or_(
        _before.due_at <= _new("created_at"),
        and_(_before.attempts > literal_column("0"), _before.doubt_at.is_(None)),
    ),
)
INSERT_IN_TURN = Query(
    NEW.returning(m.id, _OVERTAKES.label("overtakes")), row=TurnRow, bulk=True, tells="id", planned_once=True
)
