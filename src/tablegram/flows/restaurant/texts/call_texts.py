"""Guests who ask for the bill or the waiter by text: the same call as from the table's page."""

from __future__ import annotations

from tablegram.events.planning import Statement
from tablegram.flows.restaurant.guests.calls import CALLED, call_event, open_at
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.flows.restaurant.texts.said import Said, may_serve
from tablegram.restaurant import calls
from tablegram.restaurant.calls import Kind
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.tables import Table
from tablegram.storage.database import Tx

# So much of a text the staff's screen shows.
_MAX_NOTE = 120


def note_of(text: str) -> str:
    """What somebody wrote, as who is called reads it."""
    return tidy(text)[:_MAX_NOTE]


async def ring(tx: Tx, ordering: Ordering, said: Said, table: Table, kind: Kind) -> list[Statement]:
    """The events that follow. Who asks again while nobody came does not ring again, and is told so all the same."""
    venue = said.venue
    bill = await open_at(tx, table) if kind == "bill" else None
    call, is_new = await calls.call(tx, table, kind, "", said.now, amount=bill.open if bill else None)
    if await may_serve(tx, said):
        await ordering.telling.word(tx, venue, said.phone, said.language, said.now, f"{kind}_called", table=table.label)
    if not is_new:
        return []
    await ordering.telling.called(tx, venue, table, call, said.now)
    return ordering.announce(venue.account_id, CALLED, call_event(call, venue.currency), f"table:{table.id}")


async def ring_about(tx: Tx, ordering: Ordering, said: Said, table: Table, note: str) -> list[Statement]:
    """Call somebody to a table over something that only people can settle; the guest is told by who asks for it."""
    call, is_new = await calls.call(tx, table, "waiter", note, said.now)
    if not is_new:
        return []
    await ordering.telling.called(tx, said.venue, table, call, said.now)
    return ordering.announce(said.venue.account_id, CALLED, call_event(call, said.venue.currency), f"table:{table.id}")
