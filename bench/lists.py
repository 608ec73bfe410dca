"""Every filter of every list of the API, with a few rows of each table and with a million of each.

    python -m bench.lists [--quick] [--db sqlite|postgresql]

The statements are those behind the lists, and the rows those on which the suite looks at their plans: few are of a rare kind. Both
databases are asked by turns; compare the two columns of a row. The third says how many rows were found, there and there: a page
of 50 costs more than a page of 3, whatever else there is.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import time
from collections.abc import Mapping
from typing import Any

from bench.run import HERE
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, open_database
from tests.databases import open_databases
from tests.storage.narrowed import CURSOR, LISTS, MOST
from tests.storage.narrowed_rows import ROWS
from tests.storage.plans import fill_all

MANY, FEW = 1_000_000, 50_000
QUICK_MANY, QUICK_FEW = 30_000, 3_000
RUNS = 30
LATE = 10**13
# What a statement does not bring along, by the name it has there.
COMMON: Mapping[str, Any] = {
    "account_id": 1, "b_account": 1, "most": MOST, "before": CURSOR, "before_id": CURSOR, "before_key": CURSOR, "id": CURSOR,
    "at": LATE, "before_at": LATE, "until": LATE, "now": 1, "since": 0, "since_ms": 0, "first": "", "after": "",
    "only_reason": "", "b_contact": "c56", "b_phone": "9056", "phone": "9056", "member": "m1",
}  # fmt: skip
# Where it means something else, or is told in one list only.
OWN: Mapping[str, Mapping[str, Any]] = {
    "listRequests": {"status": 422, "lowest": 400, "highest": 499, "key_id": "k1"},
    "listAudit": {
        "actor": "p1", "actor_also": "", "action": "a.1", "action_like": "a.1%", "object_id": "o56", "since": "", "until": CURSOR,
    },
    "listContacts": {"low_0_0": "t56", "high_0_0": "t56!"},
    "listConsents": {"only_contact_id": "c56", "only_source": "s1", "only_state": "denied", "only_purpose": "orders"},
    "listCampaignSends": {"b_campaign": "c1", "b_state": "skipped", "b_reason": "no_consent"},
    "listAutomationRuns": {"b_automation": "a1", "b_state": "stopped"},
    "listAutomationRatings": {"b_automation": "a1"},
    "listAudit by object_id": {"actor": "", "action_like": "%"},
    "listContactUnsent by source=campaign, reason": {"b_contact": "0151"},
    # The oldest first.
    "listConversations by waiting": {"at": 0, "id": ""},
    "listConversations by waiting, assigned": {"at": 0, "id": ""},
}  # fmt: skip


def questions() -> dict[str, tuple[Query, dict[str, Any]]]:
    return {
        f"{operation} by {name}": (
            one.query,
            {**COMMON, **OWN.get(operation, {}), **OWN.get(f"{operation} by {name}", {})},
        )
        for operation, filters in LISTS.items()
        for name, one in filters.items()
    }


async def ask(db: Database, query: Query, values: dict[str, Any]) -> tuple[float, int]:
    began = time.perf_counter()
    found = len(await db.all(query, values))
    return (time.perf_counter() - began) * 1_000, found


async def measure(kind: str, urls: tuple[str, str], counts: tuple[int, int]) -> list[str]:
    for url, count in zip(urls, counts, strict=True):
        print(f"{kind}: {count:,} rows of each of {len(ROWS)} tables …", file=sys.stderr, flush=True)
        # A file keeps what a transaction writes until its end, and a server counts all rows behind each.
        for inserts in [ROWS] if kind == "postgresql" else [[one] for one in ROWS]:
            await fill_all(url, inserts, count)
    dbs = [open_database(Settings(database_url=url)) for url in urls]
    for db in dbs:
        await db.open()
    try:
        print(f"{kind}: {len(questions())} filters of {len(LISTS)} lists …", file=sys.stderr, flush=True)
        lines = []
        for name, (query, values) in questions().items():
            told: list[list[tuple[float, int]]] = [[], []]
            for _ in range(RUNS):
                for some, db in zip(told, dbs, strict=True):
                    some.append(await ask(db, query, values))
            few, many = (statistics.median(took for took, _ in some) for some in told)
            rows = " / ".join(str(some[0][1]) for some in told)
            lines.append(f"| {kind} | {name} | {few:.2f} | {many:.2f} | {many / few:.2f} | {rows} |")
        return lines
    finally:
        for db in dbs:
            await db.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_MANY:,} rows instead of {MANY:,}")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    options = parser.parse_args()
    counts = (QUICK_FEW, QUICK_MANY) if options.quick else (FEW, MANY)
    lines = []
    for kind in options.db or ["sqlite", "postgresql"]:
        databases = open_databases(kind)
        try:
            lines += asyncio.run(measure(kind, (databases.migrated(), databases.migrated()), counts))
        finally:
            databases.close()
    print(f"| database | list and filter | {counts[0]:,} rows, ms | {counts[1]:,} rows, ms | ratio | rows found |")
    print("|---|---|---|---|---|---|")
    print("\n".join(lines))
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "lists.json").write_text(json.dumps({"at": time.time(), "rows": lines}, indent=1))


if __name__ == "__main__":
    main()
