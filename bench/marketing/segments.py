"""How many contacts a segment has, among 100,000 with 1,000,000 orders, beside reading one row by its key.

    python -m bench.marketing.segments [--quick]

PostgreSQL. Customers order unevenly, over two years; each count is asked anew, as the editor does while somebody types, with other
numbers each time. Compare p95 within the table.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import uvloop

from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments.tree import parse
from tablegram.crm.contacts import new_contact
from tablegram.crm.store import contacts as store
from tablegram.flows.contacts.segment_rules import RULES as CONTACTS
from tablegram.flows.restaurant.segment_rules import RULES as ORDERS
from tablegram.settings import Settings
from tablegram.storage.database import Tx, open_database
from tablegram.values.clock import DAY_MS, Clock
from tests.databases import open_databases

RUNS, DISHES = 60, 60
_ORDERS = """insert into customer_orders
    (account_id, order_key, contact_id, at, venue_id, order_type, currency, amount, dishes, categories)
    select 1, 'o' || n, 'c' || lpad(floor($2 * power(random(), 2))::int::text, 25, '0'), $3 - (random() * $4)::bigint,
        'v' || n % 3, (array['dine_in', 'takeaway', 'delivery'])[1 + n % 3], 'TRY', 5000 + (random() * 85000)::int,
        '{}', '{}'
    from generate_series(1, $1) as n"""
_FIGURES = """insert into customer_figures (account_id, contact_id, orders, first_at, last_at)
    select 1, contact_id, count(*), min(at), max(at) from customer_orders group by contact_id"""
_TALLIES = """insert into customer_tallies (account_id, contact_id, kind, key, orders, quantity, is_top)
    select 1, contact_id, kind, key, count(*), sum(much), 0 from (
        select contact_id, 'currency' as kind, currency as key, amount as much from customer_orders
        union all select contact_id, 'venue', venue_id, 1 from customer_orders
        union all select contact_id, 'order_type', order_type, 1 from customer_orders
        union all select contact_id, 'item', 'd' || floor($1 * power(random(), 2))::int, 1 from customer_orders
    ) as told group by contact_id, kind, key"""


def trees(chance: random.Random) -> dict[str, Callable[[], Any]]:
    days, few = chance.randint, chance.randint
    lost = {"rule": "last_order", "not_within_days": 30}
    return {
        "lost regulars": lambda: {"all": [
            {"rule": "last_order", "not_within_days": days(20, 90)}, {"rule": "orders", "at_least": few(3, 9)},
        ]},
        "spent much in half a year": lambda: {
            "rule": "spent", "at_least": few(500, 3_000), "currency": "TRY", "within_days": days(150, 200),
        },
        "ordered often in a quarter": lambda: {"rule": "orders", "at_least": few(2, 6), "within_days": days(60, 100)},
        "a class of customers": lambda: {
            "rule": "customer_class", "is": chance.choice(["new", "loyal", "champions", "lost"]),
        },
        "a dish": lambda: {"rule": "dish", "ordered": f"d{few(0, DISHES - 1)}"},
        "two ways and a not": lambda: {"any": [
            {"all": [lost, {"rule": "dish", "ordered": f"d{few(0, DISHES - 1)}"}]},
            {"all": [
                {"rule": "spent", "at_least": few(500, 3_000), "currency": "TRY"},
                {"not": {"rule": "orders", "at_least": few(3, 9), "within_days": days(60, 100)}},
            ]},
        ]},
    }  # fmt: skip


async def fill(url: str, contacts: int, orders: int) -> None:
    row = new_contact(1, "", "Guest", 1)
    names = ", ".join(row)
    values = ", ".join(
        "'c' || lpad(n::text, 25, '0')" if name == "id" else "null" if value is None else repr(value)
        for name, value in row.items()
    )
    now = Clock().now_ms()
    connection = await asyncpg.connect(url)
    await connection.execute(
        f"insert into contacts ({names}) select {values} from generate_series(0, {contacts - 1}) as n"
    )
    await connection.execute(_ORDERS, orders, contacts, now, 730 * DAY_MS, timeout=600)
    await connection.execute(_FIGURES, timeout=600)
    await connection.execute(_TALLIES, DISHES, timeout=600)
    await connection.execute("vacuum analyze")
    await connection.close()


async def times(call: Callable[[], Awaitable[object]]) -> tuple[float, float, float]:
    for _ in range(5):
        await call()
    took = []
    for _ in range(RUNS):
        began = time.perf_counter()
        await call()
        took.append((time.perf_counter() - began) * 1_000)
    cuts = statistics.quantiles(took, n=100)
    return cuts[49], cuts[94], max(took)


async def measure(url: str, contacts: int, orders: int) -> None:
    await fill(url, contacts, orders)
    db = open_database(Settings(database_url=url))
    await db.open()
    chance = random.Random(16)

    async def zone(tx: Tx, account_id: int) -> str:
        return "UTC"

    audience = Audience([*CONTACTS, *ORDERS], Clock(), zone)

    async def read() -> object:
        return await db.first(store.GET, {"b_account": 1, "b_id": f"c{chance.randrange(contacts):025}"})

    print("| segment | contacts in it | p50 ms | p95 ms | slowest ms | p95 ÷ plain read |")
    print("|---|---|---|---|---|---|")
    plain = await times(read)
    print(f"| plain read by key | | {plain[0]:.2f} | {plain[1]:.2f} | {plain[2]:.1f} | 1 |")
    for name, tree in trees(chance).items():
        found: list[int] = []

        async def count(tree: Callable[[], Any] = tree, found: list[int] = found) -> None:
            node = parse(tree(), audience.rules)
            found.append(await db.snapshot(lambda tx: audience.count_of(tx, 1, node)))

        one = await times(count)
        many = round(statistics.median(found))
        print(
            f"| {name} | {many:,} | {one[0]:.1f} | {one[1]:.1f} | {one[2]:.1f} | {one[1] / plain[1]:.0f} |", flush=True
        )
    await db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of it")
    parser.add_argument("--db", action="append", help="PostgreSQL it is; taken so that every benchmark is called alike")
    parser.add_argument("--contacts", type=int, default=100_000)
    parser.add_argument("--orders", type=int, default=1_000_000)
    asked = parser.parse_args()
    share = 10 if asked.quick else 1
    databases = open_databases("postgresql")
    try:
        url = databases.migrated()
        print(
            f"Segments, {asked.contacts // share:,} contacts and {asked.orders // share:,} orders, PostgreSQL",
            flush=True,
        )
        uvloop.run(measure(url, asked.contacts // share, asked.orders // share))
    finally:
        databases.close()


if __name__ == "__main__":
    main()
