"""What follows when money has come against a bill: it is told, and a tab on which nothing is left ends."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.events.planning import Statement
from tablegram.flows.restaurant.bills.views import CLOSED, PAID, bill_event
from tablegram.flows.restaurant.orders.ordering import Ordering
from tablegram.restaurant import calls, venues
from tablegram.restaurant.bills import keeping, seating
from tablegram.restaurant.bills.model import Bill
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.states import Event
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx

Done = tuple[Event, OrderChange]


async def tell(tx: Tx, ordering: Ordering, kind: str, bill: Bill, currency: str, by: str, now: int) -> list[Statement]:
    body = bill_event(kind, bill, await seating.label_of(tx, bill), currency, by, now)
    return ordering.announce(bill.tab.account_id, kind, body, f"table:{bill.tab.table_id}")


async def follow(tx: Tx, ordering: Ordering, venue: Venue, done: Sequence[Done], now: int) -> list[Statement]:
    """What was done to orders on a bill is followed and told; the guests sit there and know."""
    found: list[Statement] = []
    for event, change in done:
        found += await ordering.follow(tx, venue, change, event, now, tells=False)
    return found


async def clear(tx: Tx, bill: Bill, by: str, now: int) -> None:
    """Nobody has to come to the table any more."""
    table = await seating.table_of(tx, bill)
    if table is not None:
        await calls.answer_all(tx, table, by, now)


async def money_came(
    tx: Tx, ordering: Ordering, venue: Venue, tab_id: str, by: str, now: int
) -> tuple[Bill, list[Done], list[Statement]]:
    """The bill after money has come: where nothing is open it is told, and where all is brought the tab ends."""
    bill = await keeping.lock(tx, venue.account_id, tab_id)
    done: list[Done] = []
    plan: list[Statement] = []
    if bill.open == 0:
        plan += await tell(tx, ordering, PAID, bill, venue.currency, by, now)
        if seating.is_done(bill):
            was_open = bill.tab.state == "open"
            done += await keeping.settle(tx, bill, by, now)
            bill = await keeping.lock(tx, venue.account_id, tab_id)
            if was_open:
                # At a table that was left, others may sit and call by now.
                await clear(tx, bill, by, now)
                plan += await tell(tx, ordering, CLOSED, bill, venue.currency, by, now)
    return bill, done, plan


async def end(tx: Tx, ordering: Ordering, venue: Venue, tab_id: str, by: str, now: int) -> list[Statement]:
    """Everything that was ordered is brought and paid: who comes next begins a tab of their own."""
    bill = await keeping.look(tx, await keeping.find(tx, venue.account_id, tab_id))
    if not await keeping.end(tx, bill, by, "", now):
        return []
    return await tell(tx, ordering, CLOSED, bill, venue.currency, by, now)


# Who is written down for a table that was left.
CLOCK = "clock"


async def leave(
    tx: Tx, ordering: Ordering, account_id: int, tab_id: str, now: int
) -> tuple[Venue, list[Statement]] | None:
    """Nobody has used a tab for long: it is told, with what is still open of it. Nothing where nothing was ordered."""
    bill = await keeping.lock(tx, account_id, tab_id)
    if not await keeping.leave(tx, bill, CLOCK, now) or not bill.entries:
        return None
    venue = await venues.find_ever(tx, account_id, bill.tab.venue_id)
    after = await keeping.look(tx, await keeping.find(tx, account_id, tab_id))
    return venue, await tell(tx, ordering, CLOSED, after, venue.currency, CLOCK, now)
