"""An account's messages as people and programs list them, newest first, each filter read from an index of what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from sqlalchemy import ColumnElement, select, union_all

from tablegram.messaging.rows.messages import MessageRow, MessageState
from tablegram.storage.query import Query
from tablegram.storage.tables import messages
from tablegram.storage.tables.messaging import listed_state
from tablegram.values.ids import first_id

m = messages.c
# A message gets its id when it is kept; its time may be the network's, whose clock may be ahead of ours.
AHEAD_MS = 3_600_000
STATES: tuple[str, ...] = get_args(MessageState)
# What came in is this and nothing else, and nothing else is.
IN = "received"


def page(account_id: int, filters: Mapping[str, object], before: str | None, most: int) -> Query[MessageRow]:
    """The key of a message grows with time, so it is the order and the cursor at once."""
    given = {name: value for name, value in filters.items() if value is not None}
    since_ms = given.get("since_ms")
    wanted = [
        m.account_id == account_id,
        *[m[name] == given[name] for name in ("phone", "instance_id") if name in given],
    ]
    if isinstance(since_ms, int):
        wanted += [m.id >= first_id(since_ms - AHEAD_MS), m.created_at >= since_ms]
    if before is not None:
        wanted.append(m.id < before)
    states = _states(given.get("state"), given.get("direction"))
    if len(states) < len(STATES):
        # A number has fewer messages than any state.
        wanted.append(m.state.in_(states) if "phone" in given else _is_in(states, wanted, most))
    return Query(select(messages).where(*wanted).order_by(m.id.desc()).limit(most), row=MessageRow)


def _is_in(states: list[str], wanted: list[ColumnElement[bool]], most: int) -> ColumnElement[bool]:
    if not states:
        # There is no such message, and no such id.
        return m.id < ""
    if len(states) == 1:
        return listed_state == states[0]
    # The newest of each, and of these the newest.
    each = [
        select(m.id).where(*wanted, listed_state == one).order_by(m.id.desc()).limit(most).subquery() for one in states
    ]
    return m.id.in_(union_all(*[select(one.c.id) for one in each]))


def _states(state: object, direction: object) -> list[str]:
    """In which states a message may be that is asked for by a state, a direction, both or neither."""
    ways = {"in": [IN], "out": [one for one in STATES if one != IN]}
    found = [*STATES] if direction is None else ways[str(direction)]
    return found if state is None else [one for one in found if one == state]
