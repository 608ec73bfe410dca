"""A tap on one display until it is on every other screen, beside the tap's own answer.

    python -m bench.kitchen [--quick] [--db sqlite|postgresql]

Screens do what a browser's do: they hold a stream, wait the page's own 50 ms when it tells of a change, and fetch what
differs from what they have. With two servers the screens are at the other one, which hears of the tap over the database or over a
NATS server. "Told" is the notice on a screen's stream, from the moment of the tap. Server, screens and database share this machine: compare ratios within a run.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import re
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp

from bench.run import HERE, RAISED
from tablegram.panel.cookies import SESSION
from tests.browser.panel.desk import sign_in
from tests.databases import open_databases
from tests.engine.nats_server import nats_server
from tests.faults.pair import SETTINGS, second
from tests.product import Product, running_product

SCREENS = 8
ORDERS = 40
# What `live.js` waits, so that several changes are one look.
GATHER_S = 0.05
# A person at work; changes that come faster are told together.
BETWEEN_S = 0.7
PART = "/panel/kitchen/kitchen?part=tickets"
Figures = dict[str, Any]


class Screen:
    """A display that listens and fetches what differs."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        self._http, self._url = http, url
        self.marks: dict[str, str] = {}
        # When each mark of an order was first on the screen.
        self.seen: dict[tuple[str, str], float] = {}
        # When each notice came.
        self.told: list[float] = []
        self.sizes: list[int] = []
        self.ready = asyncio.Event()
        self.changed = asyncio.Event()

    async def look(self) -> None:
        known = urlencode({"known": ".".join(self.marks.values())}) if self.marks else ""
        async with self._http.get(f"{self._url}{PART}&{known}") as answer:
            raw = await answer.read()
            assert answer.status == 200, answer.status
        self.sizes.append(len(raw))
        raw = gzip.decompress(raw) if answer.headers.get("content-encoding") == "gzip" else raw
        found = dict(re.findall(r'data-key="([^"]+)" data-mark="(\w+)"', raw.decode()))
        now = time.perf_counter()
        for order, mark in found.items():
            self.seen.setdefault((order, mark), now)
        self.marks = found
        self.changed.set()

    async def follow(self) -> None:
        await self.look()
        async with self._http.get(f"{self._url}/panel/live", timeout=aiohttp.ClientTimeout(total=None)) as stream:
            async for line in stream.content:
                if line.startswith(b"event: ready"):
                    self.ready.set()
                if line.startswith(b"data:") and b'"orders"' in line:
                    self.told.append(time.perf_counter())
                    await asyncio.sleep(GATHER_S)
                    await self.look()


def rush(product: Product) -> list[str]:
    """Orders of every table, of dishes that need no choice."""
    venue = product.call("GET", "/restaurant/venues")[1]["data"][0]["id"]
    menu = product.call("GET", f"/restaurant/venues/{venue}/menu")[1]
    dishes = [one["id"] for one in menu["items"] if one["station"] == "kitchen" and not one["option_group_ids"]]
    tables = product.call("GET", f"/restaurant/venues/{venue}/tables")[1]["data"]
    made: list[str] = []
    for place in range(10 * ORDERS):
        lines = [{"item_id": dishes[(place + step) % len(dishes)]} for step in range(2)]
        body = {"venue_id": venue, "table_id": tables[place % len(tables)]["id"], "lines": lines}
        status, answer = product.call("POST", "/orders", body)
        # Some dishes keep hours of their own.
        made += [answer["order_id"]] if status == 201 else []
        if len(made) == ORDERS:
            return made
    raise SystemExit("The menu has too few dishes at this hour.")


async def tap_all(product: Product, shown_by: Product, orders: list[str], token: str, rounds: int) -> Figures:
    cookies, key = {SESSION: token}, product.headers()
    answered: list[float] = []
    told: list[float] = []
    spread: list[float] = []
    async with aiohttp.ClientSession(cookies=cookies, auto_decompress=False) as http, aiohttp.ClientSession() as api:
        screens = [Screen(http, shown_by.url) for _ in range(SCREENS)]
        whole = 0
        tasks = [asyncio.create_task(one.follow()) for one in screens]
        await asyncio.wait_for(asyncio.gather(*(one.ready.wait() for one in screens)), 60)
        whole = screens[0].sizes[0]
        for turn in range(rounds):
            order, action = orders[turn % len(orders)], "start" if turn < len(orders) else "finish"
            await asyncio.sleep(BETWEEN_S)
            before = [one.marks.get(order, "") for one in screens]
            began = time.perf_counter()
            url = f"{product.api}/orders/{order}/progress"
            body = {"action": action, "station": "kitchen"}
            async with api.post(url, json=body, headers=key) as answer:
                assert answer.status == 200, await answer.text()
            answered.append(time.perf_counter() - began)
            for one, old in zip(screens, before, strict=True):
                while one.marks.get(order, "") == old:
                    one.changed.clear()
                    await asyncio.wait_for(one.changed.wait(), 20)
                now = one.marks.get(order, "")
                spread.append((one.seen[order, now] if now else time.perf_counter()) - began)
                told.append(next(at for at in one.told if at > began) - began)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        size = statistics.median(size for one in screens for size in one.sizes[1:])
    return {"answered": answered, "told": told, "spread": spread, "whole": whole, "one": size}


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1_000


def run(kind: str, rounds: int) -> Figures:
    print(f"{kind}: {rounds} taps …", file=sys.stderr, flush=True)
    databases = open_databases(kind)
    url = databases.migrated()
    try:
        with running_product(url, settings=RAISED) as product:
            product.cli("demo")
            orders = rush(product)
            token = sign_in(product, "kitchen", "Usta", "tr")
            return asyncio.run(tap_all(product, product, orders, token, rounds))
    finally:
        databases.drop(url)
        databases.close()


def run_two(kind: str, rounds: int, bus: dict[str, str]) -> Figures:
    """Taps at one server, screens at another."""
    carrier = "NATS" if bus else "the database"
    print(f"{kind}: {rounds} taps, screens at another server, over {carrier} …", file=sys.stderr, flush=True)
    databases = open_databases(kind)
    url = databases.migrated()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="tablegram-second-") as folder,
            running_product(url, sandbox_alone=True, settings={**SETTINGS, **RAISED, **bus}) as product,
        ):
            product.cli("demo")
            orders = rush(product)
            token = sign_in(product, "kitchen", "Usta", "tr")
            other = second(product, Path(folder))
            other.server.start()
            try:
                return asyncio.run(tap_all(product, other, orders, token, rounds))
            finally:
                other.server.stop()
    finally:
        databases.drop(url)
        databases.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    options = parser.parse_args()
    kinds = options.db or ["sqlite", "postgresql"]
    rounds = 30 if options.quick else 2 * ORDERS
    results = {kind: run(kind, rounds) for kind in kinds}
    if "postgresql" in kinds:
        results["postgresql, two servers"] = run_two("postgresql", rounds, {})
        with nats_server() as server:
            results["the same, over NATS"] = run_two("postgresql", rounds, {"TABLEGRAM_NATS_URL": server.url})
    print(f"{SCREENS} screens, {ORDERS} orders under way; bytes of a look that fetches everything, and after a tap")
    print(
        "| database | tap answered p50 ms | told p50 ms | p99 ms | on every screen p50 ms | p99 ms | ÷ answered | bytes whole | one |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for kind, one in results.items():
        base, p50 = percentile(one["answered"], 0.5), percentile(one["spread"], 0.5)
        late = percentile(one["spread"], 0.99)
        told = f"{percentile(one['told'], 0.5):.0f} | {percentile(one['told'], 0.99):.0f}"
        print(
            f"| {kind} | {base:.1f} | {told} | {p50:.0f} | {late:.0f} | {p50 / base:.1f} | {one['whole']:,} | {one['one']:,.0f} |"
        )
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "kitchen.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
