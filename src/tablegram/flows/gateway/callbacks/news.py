"""News of the network: kept where people see it, told to programs, and taken to heart by the lines it is about."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.flows.gateway.announcing import Announcer
from tablegram.flows.gateway.callbacks.arrivals import Arrival
from tablegram.messaging import notices, standing
from tablegram.messaging.incoming import NetworkError, Notice, UnknownChange
from tablegram.messaging.notices import UNKNOWN, UNKNOWN_NUMBER
from tablegram.messaging.templates import keeping as templates
from tablegram.storage.database import Statement, Tx
from tablegram.values.clock import HOUR_MS


async def apply(tx: Tx, announcer: Announcer, arrivals: Sequence[Arrival]) -> tuple[list[Statement], set[int]]:
    """The events that follow, and the lines that stand otherwise than before."""
    statements: list[Statement] = []
    lines: set[int] = set()
    for number, arrival in enumerate(arrivals):
        if arrival.role not in ("other", "nobodys"):
            continue
        notice = notice_of(arrival)
        if notice is None:
            continue
        line_id = arrival.about[0] if len(arrival.about) == 1 else None
        at = notice.at_ms or arrival.received_at
        is_new = await notices.keep(
            tx, arrival.account_id, line_id, notice, at, (arrival.source, arrival.external_id),
            _key(arrival, notice, number),
        )  # fmt: skip
        if not is_new or notice.kind in notices.NOT_UNDERSTOOD:
            continue
        statements += announcer.noticed(arrival.account_id, line_id, notice, at)
        await templates.hear(tx, arrival.account_id, arrival.about, notice, at, arrival.received_at)
        if notice.standing is None:
            continue
        for about in arrival.about:
            change = await standing.take(tx, arrival.account_id, about, notice.standing, at, arrival.received_at)
            if change is not None:
                lines.add(about)
                statements += announcer.line_stands(arrival.account_id, about, change)
    return statements, lines


def notice_of(arrival: Arrival) -> Notice | None:
    """What people are shown of it, if it is nobody's message."""
    item = arrival.item
    if isinstance(item, NetworkError):
        return None
    if arrival.is_strangers:
        facts = {"phone_number_id": item.phone_number_id}
        return Notice(kind=UNKNOWN_NUMBER, field=getattr(item, "field", "messages"), facts=facts)
    if isinstance(item, Notice):
        return item
    if isinstance(item, UnknownChange):
        return Notice(kind=item.kind, field=item.field, facts={"why": item.why} if item.why else {})
    if arrival.role == "nobodys":
        return Notice(kind=UNKNOWN, field="messages", facts={})
    return None


def _key(arrival: Arrival, notice: Notice, number: int) -> str:
    """A number of the same app that is no line's may be a busy one: it is told of once an hour."""
    if notice.kind == UNKNOWN_NUMBER:
        return f"{UNKNOWN_NUMBER}:{notice.facts['phone_number_id']}:{arrival.received_at // HOUR_MS}"
    return f"{arrival.source}:{arrival.external_id}:{notice.field}:{number}"
