"""Which tickets a list shows when it is narrowed: each once, however often it was printed, page by page."""

from __future__ import annotations

import random
from itertools import product

from tablegram.printing.store import tickets as store
from tablegram.storage.database import Database, Tx
from tablegram.storage.tables import print_jobs, tickets
from tests.storage.opened import add_accounts, opened
from tests.storage.plain_rows import plain_row

VENUES, KINDS, ORDERS, PRINTERS = ("v1", "v2"), ("order", "change"), ("o1", "o2"), ("p1", "p2", "p3")
# Of a ticket on one printer: its copies, each with how often it was asked for again.
PRINTED = [(), ((1, 0),), ((1, 0), (2, 0)), ((1, 0), (1, 1), (1, 2)), ((2, 3),)]


async def _furnish(db: Database) -> list[tuple[str, str, str, str, set[str]]]:
    """Tickets, the newest first: each with its venue, its order, its kind, and the printers that had it."""
    chance, made = random.Random(7), []
    keys = [f"j{number:03}" for number in range(900)]
    # The first job of a ticket is not the one with the smallest copy.
    chance.shuffle(keys)
    kinds = product(VENUES, ORDERS, KINDS, range(6))
    for number, (venue, order, kind, _) in enumerate(kinds):
        ticket = f"t{number:03}"
        row = {"id": ticket, "venue_id": venue, "order_key": order, "kind": kind, "revision": number}
        await db.put(plain_row(tickets, account_id=1, **row))
        had = set()
        for printer in PRINTERS[:2]:
            for copy, reprint in chance.choice(PRINTED):
                of_ticket = {"ticket_id": ticket, "printer_id": printer, "copy": copy, "reprint": reprint}
                job = {"id": keys.pop(), "venue_id": venue, "state": "printed", **of_ticket}
                await db.put(plain_row(print_jobs, account_id=1, **job), plain_row(print_jobs, account_id=2, **job))
                had.add(printer)
        made.append((ticket, venue, order, kind, had))
    return made[::-1]


async def _pages(tx: Tx, most: int, venue: str | None, order: str | None, kind: str | None, printer: str) -> list[str]:
    found: list[str] = []
    while True:
        after = found[-1] if found else None
        page = store.page(
            1, venue_id=venue, order_key=order, kind=kind, printer_id=printer, after=after, most=most
        )  # fmt: skip
        rows = await tx.all(page, {})
        found += [row["id"] for row in rows]
        # No ticket is shown twice; and a list that begins again would never end.
        assert len(found) == len(set(found)), found
        if len(rows) < most:
            return found


async def test_tickets_of_a_printer_are_listed_once_each_whatever_else_is_asked_for(database_url: str) -> None:
    async with opened(database_url) as db:
        await add_accounts(db, 1, 2)
        made = await _furnish(db)
        assert {len(had) for *_, had in made} == {0, 1, 2}

        async def look(tx: Tx) -> None:
            for venue, order, kind, printer in product((None, "v1"), (None, "o2"), (None, "change"), PRINTERS):
                meant = [
                    ticket
                    for ticket, its_venue, its_order, its_kind, had in made
                    if printer in had
                    and venue in (None, its_venue)
                    and order in (None, its_order)
                    and kind in (None, its_kind)
                ]
                for most in (1, 4, 100):
                    found = await _pages(tx, most, venue, order, kind, printer)
                    assert found == meant, (venue, order, kind, printer, most)

        await db.snapshot(look)
