"""A look at what is due, with no cart waiting and with a million of them: the two cost the same.

    python -m bench.carts [--quick] [--db sqlite|postgresql]

The clock's own statements run against a store that holds nothing, then one with carts whose reminders come next month, and
at last one of them is due. Compare ratios within a run.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time

from tablegram.settings import Settings
from tablegram.storage.database import Database, Params, Tx, open_database
from tablegram.stores.carts import store as carts
from tablegram.stores.carts.model import Cart, cart_row
from tablegram.stores.notifications import store as notices
from tablegram.values.clock import DAY_MS
from tests.databases import open_databases

MANY, FEW = 1_000_000, 50_000
LOOKS = 300
CHUNK = 5_000
NOW = 1_800_000_000_000


def row(number: int, due_at: int) -> Params:
    cart = Cart(
        account_id=1 + number % 50, id=f"{number:026}", source_id="src_1", reference=f"c{number}", checkout=f"c{number}",
        phone=f"90555{number:07}", email=f"c{number}@shop.example", due_at=due_at, began_at=NOW, changed_at=NOW,
        created_at=NOW, updated_at=NOW,
    )  # fmt: skip
    return cart_row(cart)


async def look(db: Database) -> tuple[float, int]:
    """The median of a look, in microseconds, and what it found."""
    spent, found = [], 0
    for _ in range(LOOKS):
        began = time.perf_counter()
        due = [await db.all(query, {"now": NOW, "most": 100}) for query in (notices.DUE, carts.DUE)]
        spent.append((time.perf_counter() - began) * 1e6)
        found = sum(len(rows) for rows in due)
    return statistics.median(spent), found


async def measure(kind: str, url: str, count: int) -> None:
    print(f"{kind}: {count:,} carts …", file=sys.stderr, flush=True)
    db = open_database(Settings(database_url=url))
    await db.open()
    try:
        empty, _ = await look(db)
        for first in range(0, count, CHUNK):
            rows = [row(number, NOW + 30 * DAY_MS + number) for number in range(first, min(first + CHUNK, count))]

            async def fill(tx: Tx, rows: list[Params] = rows) -> None:
                await tx.many(carts.ADD, rows)

            await db.write(fill)
        full, found = await look(db)
        assert found == 0
        await db.put((carts.ADD, row(count, NOW - 1)))
        one, found = await look(db)
        assert found == 1
    finally:
        await db.close()
    print(f"| {kind} | an empty store | {empty:.0f} | 1.00 |")
    print(f"| {kind} | {count:,} carts wait | {full:.0f} | {full / empty:.2f} |")
    print(f"| {kind} | one of them is due | {one:.0f} | {one / empty:.2f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help=f"{FEW:,} carts instead of {MANY:,}")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    chosen = parser.parse_args()
    print(f"| database | a look at what is due | µs, median of {LOOKS} | ÷ empty |", flush=True)
    print("|---|---|---|---|", flush=True)
    for kind in chosen.db or ["sqlite", "postgresql"]:
        databases = open_databases(kind)
        try:
            asyncio.run(measure(kind, databases.migrated(), FEW if chosen.quick else MANY))
        finally:
            databases.close()


if __name__ == "__main__":
    main()
