"""What a restaurant costs: inbound messages with a venue on the line beside none, and the menu page beside a bare page.

    python -m bench.restaurant [--quick] [--db sqlite|postgresql]

The messages are talk that is no order, which a venue reads against its menu of 80 dishes and leaves to people. Server,
network, receiver and generator share this machine: compare ratios within a run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import aiohttp
import uvloop

from bench.inbound import Bench, measure
from bench.run import HERE, cpu_s
from tests.databases import open_databases
from tests.product import fetch, wait_until

MENU = HERE.parent / "src" / "tablegram" / "restaurant" / "demo" / "menu.json"
SAYS = "Merhaba, yarın akşam dört kişilik yer var mı?"
CONNECTIONS = 16
WITHIN_S = 300.0
# The bare page shows what listener and generator cost; the menu page is drawn for its table on the server.
PAGES = {
    "health": "/healthz",
    "menu page": "/api/v1/menu?table=12",
    "menu data": "/api/v1/menu/data?table=12&lang=tr",
    "menu data, unchanged": "/api/v1/menu/data?table=12&lang=tr",
}
Figures = dict[str, Any]


def open_venue(port: int, api_key: str) -> None:
    """A venue with the demo's menu and tables, on the line that the messages come to."""
    base = f"http://127.0.0.1:{port}/api/v1/restaurant/venues"
    key = {"Authorization": f"Bearer {api_key}"}
    fields = {"name": "Bench", "currency": "TRY", "time_zone": "Europe/Istanbul", "languages": ["tr", "en"],
              "refuses_unsigned": False,
              "instance_id": 1, "order_types": ["dine_in", "takeaway", "delivery"]}  # fmt: skip
    status, venue = fetch(base, method="POST", body=fields, headers=key)
    assert status == 201, venue
    menu = json.loads(MENU.read_text())
    status, answer = fetch(f"{base}/{venue['id']}/menu/import", method="POST", body=menu, headers=key)
    assert (status, answer["applied"]) == (200, True), answer
    rows = {"first": 1, "last": 12}
    status, answer = fetch(f"{base}/{venue['id']}/tables/range", method="POST", body=rows, headers=key)
    assert status == 201, answer


async def ask(url: str, seconds: float, headers: dict[str, str]) -> Figures:
    """The same page again and again, over so many connections."""
    count, size, until = 0, 0, time.perf_counter() + seconds

    async def one(session: aiohttp.ClientSession) -> None:
        nonlocal count, size
        while time.perf_counter() < until:
            async with session.get(url, headers=headers) as answer:
                size = len(await answer.read())
                assert answer.status in (200, 304), answer.status
            count += 1

    async with aiohttp.ClientSession(auto_decompress=False) as session:
        async with session.get(url) as first:
            await first.read()
            tag = first.headers.get("etag", "")
        if "If-None-Match" in headers:
            headers = {**headers, "If-None-Match": tag}
        began = time.perf_counter()
        await asyncio.gather(*(one(session) for _ in range(CONNECTIONS)))
    return {"per_s": count / (time.perf_counter() - began), "bytes": size}


async def ask_all(port: int, seconds: float) -> dict[str, Figures]:
    found = {}
    for name, path in PAGES.items():
        headers = {"Accept-Encoding": "gzip", **({"If-None-Match": "?"} if "unchanged" in name else {})}
        url = f"http://127.0.0.1:{port}{path}"
        await ask(url, 0.5, headers)
        found[name] = await ask(url, seconds, headers)
    return found


def all_read(bench: Bench, one: Figures) -> Figures:
    """Once every message has come through: what is still read would be in the way of the pages, and costs what the others cost."""
    cpu, before = cpu_s(bench.server.pid), int(one["delivered"])
    delivered = before

    def is_through() -> bool:
        nonlocal delivered
        delivered += bench.seen()["delivered"]
        return bool(delivered >= one["acknowledged"])

    wait_until(is_through, "every message at the receiver", WITHIN_S)
    spent = one["cpu_s_per_1000"] * before / 1_000 + cpu_s(bench.server.pid) - cpu
    return {**one, "cpu_s_per_1000": spent / delivered * 1_000}


def run(kind: str, rate: float, seconds: float) -> Figures:
    databases = open_databases(kind)
    with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
        bench = Bench(databases.migrated(), Path(folder))
        bench.environment["BENCH_SAYS"] = SAYS
        try:
            bench.endpoint("/hook")
            print(f"{kind}: {rate:g} messages/s without a venue …", file=sys.stderr, flush=True)
            without = measure(bench, rate, seconds)
            open_venue(bench.port, bench.environment["BENCH_KEY"])
            # The lines of venues are looked up anew every few seconds.
            time.sleep(3)
            print(f"{kind}: the same with a venue …", file=sys.stderr, flush=True)
            beside = all_read(bench, measure(bench, rate, seconds))
            print(f"{kind}: pages …", file=sys.stderr, flush=True)
            pages = uvloop.run(ask_all(bench.port, seconds))
        finally:
            bench.close()
            databases.close()
    return {"without": without, "with": beside, "pages": pages}


def report(kind: str, results: Figures) -> None:
    for name in ("without", "with"):
        one = results[name]
        cpu = one["cpu_s_per_1000"] / results["without"]["cpu_s_per_1000"]
        print(
            f"| {kind} | {name} a venue | {one['offered']:,.0f} | {one['delivered_per_s']:,.0f} | {one['p50_ms']:.1f} "
            f"| {one['p99_ms']:.1f} | {one['cpu_s_per_1000']:.2f} | {cpu:.2f} |"
        )


def report_pages(kind: str, pages: dict[str, Figures]) -> None:
    for name, one in pages.items():
        ratio = one["per_s"] / pages["health"]["per_s"]
        print(f"| {kind} | {name} | {one['per_s']:,.0f} | {one['bytes']:,} | {ratio:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    options = parser.parse_args()
    seconds = 4.0 if options.quick else 15.0
    kinds = options.db or ["sqlite", "postgresql"]
    results = {kind: run(kind, 800, seconds) for kind in kinds}
    print(f"{CONNECTIONS} connections, {seconds:g} s each")
    print("| database | messages | offered/s | delivered/s | lag p50 ms | lag p99 ms | CPU s/1,000 | ÷ without |")
    print("|---|---|---|---|---|---|---|---|")
    for kind in kinds:
        report(kind, results[kind])
    print("| database | page | requests/s | bytes | ÷ health |")
    print("|---|---|---|---|---|")
    for kind in kinds:
        report_pages(kind, results[kind]["pages"])
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "restaurant.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
