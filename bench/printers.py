"""What printers cost: thousands that poll and have nothing to print, and the way from an order to a waiting agent.

    python -m bench.printers [--quick] [--db sqlite|postgresql]

Polls are a Star printer's, at the pace of an interval of 5 s, beside the same number of calls to the health page. A ticket's
way is from the API's answer to the order until the agent has its bytes. Server and generator share this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import uvloop

from bench.inbound import Bench
from bench.restaurant import open_venue
from bench.run import HERE, cpu_s
from tablegram.printing.printers import keeping
from tablegram.printing.printers.model import write_list
from tablegram.printing.printers.profile import write_profile
from tablegram.printing.store import printers as store
from tablegram.settings import load
from tablegram.storage.database import open_database
from tablegram.values.clock import DAY_MS
from tablegram.values.secrets import load_secret_key
from tests.databases import open_databases
from tests.product import fetch

PRINTERS, INTERVAL_S = 2_000, 5.0
ORDERS_PER_S = 20.0
# Sold at every hour, one for each station: each station has an agent that waits.
DISHES = {"kitchen": "Humus", "bar": "Gazoz"}
POLL = b'{"status":"23 6 0 0 0 0 0 0 0","printerMAC":"00:11:62:1b:e4:13","statusCode":"200%20OK","clientAction":null}'
Figures = dict[str, Any]


async def add_printers(environment: dict[str, str], venue_id: str, count: int) -> list[str]:
    """Printers of the bench's account, more than an account may have; their keys."""
    settings = load(environment)
    box, db = load_secret_key(settings), open_database(settings)
    await db.open()
    keys, rows = [], []
    for number in range(count):
        # Of yesterday: what was changed just now is looked up again and again for a while.
        made = keeping.draft(1, venue_id, "cloudprnt", box, time.time_ns() // 1_000_000 - DAY_MS)
        keys.append(box.open(made.key_sealed))
        row = {name: getattr(made, name) for name in made.__struct_fields__}
        row |= {"name": f"Printer {number}", "profile": write_profile(made.profile), "stations": write_list(())}
        rows.append({**row, "extras": "[]", "status": "", "status_at": None, "seen_at": None, "removed_at": None})
    await db.put(*((store.INSERT, row) for row in rows))
    await db.close()
    return keys


async def call_steadily(urls: list[str], method: str, body: bytes | None, interval_s: float, seconds: float) -> int:
    """Each address once an interval, spread over it, as printers that were switched on at different times."""
    done = 0

    async def one(session: aiohttp.ClientSession, url: str, after_s: float) -> None:
        nonlocal done
        due = began + after_s
        while due < began + seconds:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            async with session.request(method, url, data=body) as answer:
                await answer.read()
                assert answer.status == 200, answer.status
            done += 1
            due += interval_s

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64)) as session:
        began = time.perf_counter()
        spread = interval_s / len(urls)
        await asyncio.gather(*(one(session, url, number * spread) for number, url in enumerate(urls)))
    return done


async def ways(
    base: str, key: str, printers: list[str], venue_id: str, items: list[str], seconds: float
) -> list[float]:
    """Orders at a steady pace; how long each ticket was on its way to the agent that waited for it, in milliseconds."""
    answered: dict[str, float] = {}
    arrived: dict[str, float] = {}
    ended, all_there = asyncio.Event(), asyncio.Event()
    count = int(seconds * ORDERS_PER_S)

    async def work(session: aiohttp.ClientSession, printer_key: str) -> None:
        headers = {"Authorization": f"Bearer {printer_key}"}
        while not ended.is_set():
            asked = {"agent": "bench", "wait_s": 1}
            async with session.post(f"{base}/print/agent/next", json=asked, headers=headers) as answer:
                assert answer.status == 200, await answer.text()
                job = (await answer.json())["job"]
            if job is None:
                continue
            found = re.search(rb"ORD-[0-9-]+", base64.b64decode(job["content"]))
            assert found is not None
            arrived[found[0].decode()] = time.perf_counter()
            if len(arrived) == count:
                all_there.set()
            said = {"agent": "bench", "job": job["id"], "fence": job["fence"], "outcome": "printed"}
            async with session.post(f"{base}/print/agent/result", json=said, headers=headers) as answer:
                assert answer.status == 200, await answer.text()

    async def order(session: aiohttp.ClientSession, item: str) -> None:
        line = {"item_id": item, "quantity": 1}
        body = {"venue_id": venue_id, "order_type": "takeaway", "customer_name": "Bench", "lines": [line]}
        headers = {"Authorization": f"Bearer {key}"}
        async with session.post(f"{base}/api/v1/orders", json=body, headers=headers) as answer:
            told = await answer.json()
            assert answer.status == 201, told
        answered[told["order_id"]] = time.perf_counter()

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        agents = [asyncio.create_task(work(session, one)) for one in printers]
        began = time.perf_counter()
        orders = []
        for number in range(count):
            await asyncio.sleep(max(0.0, began + number / ORDERS_PER_S - time.perf_counter()))
            orders.append(asyncio.create_task(order(session, items[number % len(items)])))
        await asyncio.gather(*orders)
        waiting = asyncio.create_task(all_there.wait())
        # An agent that fails ends the run.
        await asyncio.wait([waiting, *agents], return_when=asyncio.FIRST_COMPLETED, timeout=60)
        waiting.cancel()
        ended.set()
        await asyncio.gather(*agents)
    # The bytes may be there before the API has answered.
    return sorted(max(0.0, (arrived[one] - answered[one]) * 1_000) for one in answered)


def run(kind: str, seconds: float) -> Figures:
    databases = open_databases(kind)
    with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
        bench = Bench(databases.migrated(), Path(folder))
        base = f"http://127.0.0.1:{bench.port}"
        key = {"Authorization": f"Bearer {bench.environment['BENCH_KEY']}"}
        try:
            open_venue(bench.port, bench.environment["BENCH_KEY"])
            venue = fetch(f"{base}/api/v1/restaurant/venues", headers=key)[1]["data"][0]
            print(f"{kind}: {ORDERS_PER_S:g} orders/s to a waiting agent …", file=sys.stderr, flush=True)
            agents = []
            for station in DISHES:
                made = {"name": station, "kind": "agent", "stations": [station]}
                status, agent = fetch(f"{base}/api/v1/restaurant/printers", method="POST", body=made, headers=key)
                assert status == 201, agent
                agents.append(agent["key"])
            menu = fetch(f"{base}/api/v1/menu/data?lang=tr", headers=key)[1]["menu"]
            items = {one["name"]: one["id"] for category in menu["categories"] for one in category["items"]}
            chosen = [items[name] for name in DISHES.values()]
            lags = uvloop.run(ways(base, bench.environment["BENCH_KEY"], agents, venue["id"], chosen, seconds))
            keys = asyncio.run(add_printers(bench.environment, venue["id"], PRINTERS))
            urls = [f"{base}/print/cloudprnt/{one}" for one in keys]
            # Each is looked up and asked what it is, once.
            uvloop.run(call_steadily(urls, "POST", POLL, INTERVAL_S, INTERVAL_S))
            print(f"{kind}: {PRINTERS} printers poll …", file=sys.stderr, flush=True)
            costs = {}
            for name, method, body, asked in (
                ("health", "GET", None, [f"{base}/healthz"] * PRINTERS),
                ("poll", "POST", POLL, urls),
            ):
                before = cpu_s(bench.server.pid)
                count = uvloop.run(call_steadily(asked, method, body, INTERVAL_S, max(seconds, 2 * INTERVAL_S)))
                costs[name] = {"calls": count, "cpu_s": cpu_s(bench.server.pid) - before}
        finally:
            bench.close()
            databases.close()
    took = max(seconds, 2 * INTERVAL_S)
    return {
        "cores": costs["poll"]["cpu_s"] / took,
        "ratio": costs["poll"]["cpu_s"] / costs["health"]["cpu_s"],
        "polls_per_s": costs["poll"]["calls"] / took,
        "p50_ms": lags[len(lags) // 2],
        "p99_ms": lags[int(len(lags) * 0.99)],
        "tickets": len(lags),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    options = parser.parse_args()
    seconds = 5.0 if options.quick else 20.0
    kinds = options.db or ["sqlite", "postgresql"]
    results = {kind: run(kind, seconds) for kind in kinds}
    print(f"{PRINTERS:,} printers that poll every {INTERVAL_S:g} s; {ORDERS_PER_S:g} orders/s to a waiting agent")
    print("| database | polls/s | cores | ÷ health page | tickets | to the agent p50 ms | p99 ms |")
    print("|---|---|---|---|---|---|---|")
    for kind, one in results.items():
        print(
            f"| {kind} | {one['polls_per_s']:,.0f} | {one['cores']:.3f} | {one['ratio']:.2f} | {one['tickets']} "
            f"| {one['p50_ms']:.1f} | {one['p99_ms']:.1f} |"
        )
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "printers.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
