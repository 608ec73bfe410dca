"""Shops that deliver 200 times a second: how long each waits for its answer, beside a page of the same server.

    python -m bench.store_hooks [--quick] [--db sqlite|postgresql]

Each delivery is an order of its own, signed, of a customer of its own. The baseline is the health page at the same pace in the same
run: it shows what the machine, the listener and the generator take by themselves. Server and generator share this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import hmac
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import uvloop

from bench.inbound import Bench
from bench.kitchen import percentile
from bench.run import cpu_s
from tests.databases import open_databases
from tests.product import fetch, wait_until

RATE = 200.0
WITHIN_S = 120.0
Figures = dict[str, Any]


def order(number: int) -> bytes:
    document = {
        "id": number,
        "number": str(number),
        "status": "processing",
        "currency": "TRY",
        "total": "129.90",
        "date_modified_gmt": "2026-03-14T09:00:00",
        "billing": {"first_name": "Defne", "last_name": "Aksoy", "phone": f"0532{number:07d}", "country": "TR"},
        "line_items": [{"name": f"Item {place}", "quantity": 1, "total": "12.99"} for place in range(10)],
    }
    return json.dumps(document).encode()


def signed(body: bytes, secret: str) -> dict[str, str]:
    proof = base64.b64encode(hmac.new(secret.encode(), body, hashlib.sha256).digest()).decode()
    return {"X-WC-Webhook-Topic": "order.created", "X-WC-Webhook-Signature": proof, "Content-Type": "application/json"}


async def offer(url: str, method: str, secret: str, first: int, seconds: float) -> list[float]:
    """At a steady pace, whoever still waits; how long each waited, from when it was due, in seconds."""
    waited: list[float] = []

    async def one(session: aiohttp.ClientSession, number: int, due: float) -> None:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        body = order(first + number) if method == "POST" else None
        headers = signed(body, secret) if body is not None else {}
        async with session.request(method, url, data=body, headers=headers) as answer:
            await answer.read()
            assert answer.status == 200, answer.status
        waited.append(time.perf_counter() - due)

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=64)) as session:
        began = time.perf_counter() + 0.05
        await asyncio.gather(*(one(session, number, began + number / RATE) for number in range(int(RATE * seconds))))
    return waited


def measure(bench: Bench, seconds: float) -> Figures:
    base, key = f"http://127.0.0.1:{bench.port}", {"Authorization": f"Bearer {bench.environment['BENCH_KEY']}"}
    wish = {"platform": "woocommerce", "name": "Shop", "country": "TR"}
    status, source = fetch(f"{base}/api/v1/stores/sources", method="POST", body=wish, headers=key)
    assert status == 201, source
    hook = base + urlsplit(source["hook_url"]).path

    def worked(number: int) -> bool:
        answer = fetch(f"{base}/api/v1/stores/orders?q={number}", headers=key)[1]
        return bool(answer["data"])

    first = 1_000_000
    uvloop.run(offer(hook, "POST", source["secret"], first, 1.0))
    plain = uvloop.run(offer(f"{base}/healthz", "GET", "", 0, seconds))
    cpu, began = cpu_s(bench.server.pid), time.perf_counter()
    first += 1_000_000
    waited = uvloop.run(offer(hook, "POST", source["secret"], first, seconds))
    last = first + len(waited) - 1
    wait_until(lambda: worked(last), "the last order", WITHIN_S)
    return {
        "plain": plain,
        "waited": waited,
        "worked_s": time.perf_counter() - began,
        "cpu_s_per_1000": (cpu_s(bench.server.pid) - cpu) / len(waited) * 1_000,
    }


def run(kind: str, seconds: float) -> Figures:
    databases = open_databases(kind)
    try:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(databases.migrated(), Path(folder))
            try:
                return measure(bench, seconds)
            finally:
                bench.close()
    finally:
        databases.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--db", choices=["sqlite", "postgresql"], action="append")
    asked = parser.parse_args()
    print(f"Deliveries of shops, {RATE:g} a second")
    print(
        "| database | page p50 ms | page p99 ms | hook p50 ms | hook p99 ms | p99 ÷ page's | all worked on after s | CPU s/1000 |"
    )
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for kind in asked.db or ["sqlite", "postgresql"]:
        print(f"{kind}: deliveries …", file=sys.stderr, flush=True)
        one = run(kind, 3.0 if asked.quick else 15.0)
        page, hook = percentile(one["plain"], 0.99), percentile(one["waited"], 0.99)
        print(
            f"| {kind} | {percentile(one['plain'], 0.5):.1f} | {page:.1f} | {percentile(one['waited'], 0.5):.1f} | {hook:.1f} | "
            f"{hook / page:.1f} | {one['worked_s']:.1f} | {one['cpu_s_per_1000']:.2f} |"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
