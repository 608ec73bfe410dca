"""Many linked lines on one machine: paired, then all of them send and receive at once.

    python -m bench.lines               200 lines, 5 messages each way
    python -m bench.lines --quick       20 lines

Server, sandbox network, hosts and whoever writes share this machine. Exit code 1 when a message is lost or doubled.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from bench.hosts import memory
from bench.run import cpu_s, rss_mb
from tests.databases import open_databases
from tests.faults.linked import OWNERS, code, hosts, make_line, send, state
from tests.product import Product, running_product, wait_until

WRITERS = 8
SETTINGS = {"TABLEGRAM_LINKED_MAX_LINES": "1000", "TABLEGRAM_LINKED_DAILY_CAP": "0", "TABLEGRAM_LOG_LEVEL": "warning"}


def link(product: Product, line_id: int) -> str:
    owner = str(next(OWNERS))
    product.sandbox_call(
        "POST", f"/phones/{owner}/devices", {"code": code(product, "GET", f"/instances/{line_id}/qr")["code"]}
    )
    wait_until(lambda: state(product, line_id) == "connected", "the line to be connected", 300)
    return owner


def exchange(product: Product, line_id: int, owner: str, customer: str, messages: int) -> None:
    """Both sides write in turn."""
    for number in range(messages):
        send(product, line_id, customer, f"out {number}")
        product.sandbox_call("POST", f"/phones/{customer}/messages", {"text": f"in {number}", "to": owner})


def count(product: Product, customers: list[str], messages: int) -> tuple[int, int]:
    """Messages that are missing, and that are there more than once, over both directions."""
    wanted = Counter(f"{way} {number}" for way in ("in", "out") for number in range(messages))
    missing = doubled = 0
    for customer in customers:
        arrived = [one["text"] for one in product.on_phone(customer) if one["direction"] == "in"]
        page = product.call("GET", f"/messages?phone={customer}&direction=in&limit=200")[1]["data"]
        found = Counter([*arrived, *(one["text"] for one in page)])
        missing += sum((wanted - found).values())
        doubled += sum((found - wanted).values())
    return missing, doubled


def run(product: Product, lines: int, messages: int) -> int:
    print(f"{lines} lines are linked …", file=sys.stderr, flush=True)
    began = time.monotonic()
    made = [make_line(product, warm_up=False, check_numbers=False) for _ in range(lines)]
    with ThreadPoolExecutor(WRITERS) as pool:
        owners = list(pool.map(lambda line_id: link(product, line_id), made))
    linked_s = time.monotonic() - began
    pids = [pid for line_id in made for pid in hosts(product, line_id)]
    print(f"lines {lines}, hosts {len(pids)}, all linked after {linked_s:.0f} s", flush=True)
    idle = [memory(pid) for pid in pids]
    customers = [str(905_560_000_000 + number) for number in range(lines)]
    computed, began = sum(map(cpu_s, pids)) + cpu_s(product.server.pid), time.monotonic()
    with ThreadPoolExecutor(WRITERS) as pool:
        list(
            pool.map(
                lambda line, owner, customer: exchange(product, line, owner, customer, messages),
                made,
                owners,
                customers,
            )
        )
    written_s = time.monotonic() - began
    wait_until(lambda: count(product, customers, messages)[0] == 0, "everything to arrive", 600)
    took_s = time.monotonic() - began
    computed = sum(map(cpu_s, pids)) + cpu_s(product.server.pid) - computed
    missing, doubled = count(product, customers, messages)
    busy = [memory(pid) for pid in pids]
    total = 2 * lines * messages
    print(
        f"memory of each host, idle: {sum(one.share for one in idle) / lines:.1f} MB, after the exchange: {sum(one.share for one in busy) / lines:.1f} MB"
    )
    print(
        f"memory of all hosts {sum(one.share for one in busy):.0f} MB, of the server {rss_mb(product.server.pid):.0f} MB"
    )
    print(
        f"{total} messages both ways: written in {written_s:.0f} s, all there after {took_s:.0f} s, {total / took_s:.0f} a second"
    )
    print(
        f"processor of server and hosts: {computed / total * 1_000:.1f} ms a message; missing {missing}, doubled {doubled}"
    )
    return int(bool(missing or doubled or len(pids) != lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--messages", type=int, default=5, help="each way, on each line")
    parser.add_argument("--quick", action="store_true", help="20 lines")
    parser.add_argument("--db", action="append", help="SQLite it is; taken so that every benchmark is called alike")
    given = parser.parse_args()
    databases = open_databases("sqlite")
    try:
        with running_product(databases.migrated(), sandbox_alone=True, settings=SETTINGS) as product:
            return run(product, 20 if given.quick else given.lines, given.messages)
    finally:
        databases.close()


if __name__ == "__main__":
    sys.exit(main())
