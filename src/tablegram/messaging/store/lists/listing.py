"""An account's messages as people and programs list them, newest first, each filter read from an index of what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from sqlalchemy import ColumnElement, Select, bindparam, select, union_all

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


def page(
    account_id: int, filters: Mapping[str, object], before: str | None, most: int
) -> tuple[Query[MessageRow], dict[str, object]]:
    """The key of a message grows with time, so it is the order and the cursor at once."""
    given: dict[str, object] = {"account_id": account_id, "most": most}
    given |= {name: filters[name] for name in ("phone", "instance_id") if filters.get(name) is not None}
    since_ms = filters.get("since_ms")
    if isinstance(since_ms, int):
        given |= {"first": first_id(since_ms - AHEAD_MS), "since_ms": since_ms}
    if before is not None:
        given["before"] = before
    return _page(frozenset(given), _states(filters.get("state"), filters.get("direction"))), given


@cache
def _page(given: frozenset[str], states: tuple[str, ...]) -> Query[MessageRow]:
    """One for each set of filters that is asked for: to prepare it takes longer than to run it."""
    asked = {
        "account_id": m.account_id == bindparam("account_id"),
        "phone": m.phone == bindparam("phone"),
        "instance_id": m.instance_id == bindparam("instance_id"),
        "first": m.id >= bindparam("first"),
        "since_ms": m.created_at >= bindparam("since_ms"),
        "before": m.id < bindparam("before"),
    }
    wanted: list[ColumnElement[bool]] = [one for name, one in asked.items() if name in given]
    if len(states) < len(STATES):
        # A number has fewer messages than any state.
        wanted.append(m.state.in_(states) if "phone" in given else _is_in(states, wanted))
    return Query(_newest(select(messages), wanted), row=MessageRow)


def _is_in(states: tuple[str, ...], wanted: list[ColumnElement[bool]]) -> ColumnElement[bool]:
    if not states:
        # There is no such message, and no such id.
        return m.id < ""
    if len(states) == 1:
        return listed_state == states[0]
    # The newest of each, and of these the newest.
    each = [_newest(select(m.id), [*wanted, listed_state == one]).subquery() for one in states]
    return m.id.in_(union_all(*[select(one.c.id) for one in each]))


def _newest(found: Select[Any], wanted: list[ColumnElement[bool]]) -> Select[Any]:
    return found.where(*wanted).order_by(m.id.desc()).limit(bindparam("most"))


def _states(state: object, direction: object) -> tuple[str, ...]:
    """In which states a message may be that is asked for by a state, a direction, both or neither."""
    ways = {"in": (IN,), "out": tuple(one for one in STATES if one != IN)}
    found = STATES if direction is None else ways[str(direction)]
    return found if state is None else tuple(one for one in found if one == state)
