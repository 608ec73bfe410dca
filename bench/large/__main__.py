"""What a message, a page, a search and a look-up cost with 10 million messages and a million contacts, beside nearly none.

    make bench-large                                the whole of it, 11 minutes on a quiet machine and 15 GB of disk for the time
    make bench-large LARGE_ARGS='--messages 200000 --contacts 20000'
    make bench-large LARGE_ARGS=--lists             only what lists are narrowed to, at a million messages and 100,000 contacts

Two servers on one PostgreSQL: one database is as after two years of a busy account, the other has one page of contacts and a hundred
messages, so that both answer with as many rows. They are asked by turns, each kind of question so many times; compare the two
columns of a row. First comes each filter of the lists, with what is rare or not there. At the end a month of each table that grows for
ever is forgotten, as retention does it, while messages go out.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

from bench.cluster import family_cpu_s
from bench.inbound import Bench
from bench.large.asking import Figures, asked, by_what, narrowed, questions
from bench.large.filling import DAY_MS, DAYS, fill
from bench.run import HERE, start
from tablegram.accounts.keys.store import forget_calls
from tablegram.engine import inbox
from tablegram.engine.purging import Forget
from tablegram.events import forgetting
from tablegram.messaging.store.retention import forget
from tablegram.settings import Settings
from tablegram.storage.database import open_database
from tests.databases import Server
from tests.ports import free_port

AIM = 1.2
NEARLY_NONE = 100, 60
# A quarter of the machine, as PostgreSQL's own manual has it, and 2 GB at the most; its default is 128 MB.
PAGES_MB = min(2_048, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 4 // 2**20)
# What grows for ever, how it is forgotten, and the days that are kept: all but messages are there for a month only.
FORGOTTEN: dict[str, tuple[Forget, int]] = {
    "messages": (forget, DAYS - 30),
    "events, each with its delivery": (forgetting.forget, 0),
    "calls of the request log": (forget_calls, 0),
    "raw callbacks": (inbox.PURGE.forget, 0),
}


class Place(Bench):
    """A server on one of the two databases."""

    def __init__(self, url: str, folder: Path, stub_port: int) -> None:
        self.url = url
        self._stub_port = stub_port
        super().__init__(url, folder)
        self._http = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def start_server(self) -> subprocess.Popen[str]:
        self.environment["TABLEGRAM_CLOUD_BASE_URL"] = f"http://127.0.0.1:{self._stub_port}"
        return super().start_server()

    @property
    def pid(self) -> int:
        return self.server.pid

    def stop(self) -> None:
        self.server.terminate()
        self.server.wait(20)

    def get(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.environment['BENCH_KEY']}"}
        try:
            self._http.request("GET", f"/api/v1{path}", headers=headers)
            answer = self._http.getresponse()
        except http.client.RemoteDisconnected:
            # Nobody asked while the other database was filled.
            self._http.close()
            self._http.request("GET", f"/api/v1{path}", headers=headers)
            answer = self._http.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, answer.status, body[:200])
        return json.loads(body)

    def send(self, seconds: float) -> tuple[int, float]:
        told = subprocess.run(
            [sys.executable, "-m", "bench.generator", str(self.port), self.environment["BENCH_KEY"], "16", str(seconds)],
            capture_output=True, text=True, check=True, cwd=HERE.parent, env=self.environment,
        )  # fmt: skip
        figures = json.loads(told.stdout)
        return int(figures["sent"]), float(figures["p50_ms"])

    def hear(self, rate: float, seconds: float) -> tuple[int, float]:
        count = int(self.offer(rate, seconds)["acknowledged"])
        time.sleep(1.0)
        seen = self.seen()
        return count, float(seen["lags"]["/hook"]["p50_ms"])


def loaded(places: dict[str, Place], postmaster: int, rounds: int, seconds: float) -> Figures:
    """CPU of server and database for a message, and what its caller waits."""
    found: dict[tuple[str, str], list[float]] = {}
    kinds: dict[str, Callable[[Place], tuple[int, float]]] = {
        "send": lambda place: place.send(seconds), "callback": lambda place: place.hear(150, seconds),
    }  # fmt: skip
    for turn in range(rounds + 1):
        for what, work in kinds.items():
            for name, place in places.items():
                before = family_cpu_s(place.server.pid) + family_cpu_s(postmaster)
                count, p50 = work(place)
                spent = family_cpu_s(place.server.pid) + family_cpu_s(postmaster) - before
                if turn:
                    found.setdefault((f"{what}, CPU ms", name), []).append(spent / count * 1_000)
                    found.setdefault((f"{what}, p50 ms", name), []).append(p50)
    return by_what({key: statistics.median(values) for key, values in found.items()})


async def forgotten(url: str, what: str, now_ms: int) -> tuple[int, float]:
    """A month of a table, in the pieces that retention takes."""
    work, days = FORGOTTEN[what]
    db = open_database(Settings(database_url=url))
    await db.open()
    began = time.perf_counter()
    count = await work(db, now_ms - days * DAY_MS)
    took = time.perf_counter() - began
    await db.close()
    return count, took


async def _sizes(url: str) -> str:
    connection = await asyncpg.connect(url)
    try:
        return str(await connection.fetchval("SELECT pg_size_pretty(pg_database_size(current_database()))"))
    finally:
        await connection.close()


def _quiet(databases: Server) -> int:
    """The server that both share; it counts rows when it is told to, and has as much memory for pages as one of that size would."""

    async def settle() -> None:
        connection = await asyncpg.connect(databases.cluster.url("postgres"))
        await connection.execute("ALTER SYSTEM SET autovacuum = off")
        await connection.execute("ALTER SYSTEM SET max_wal_size = '4GB'")
        await connection.execute(f"ALTER SYSTEM SET shared_buffers = '{PAGES_MB}MB'")
        await connection.close()

    asyncio.run(settle())
    databases.cluster.stop("fast")
    databases.cluster.start()
    return int((databases.cluster.data / "postmaster.pid").read_text().split()[0])


def run(messages: int, contacts: int, rounds: int, seconds: float, *, only_lists: bool) -> None:
    databases, stub_port, now_ms = Server(), free_port(), int(time.time() * 1_000)
    stub = start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    places: dict[str, Place] = {}
    try:
        postmaster = _quiet(databases)
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            for name, (many, people) in {"nearly empty": NEARLY_NONE, "large": (messages, contacts)}.items():
                print(f"{name}: {many:,} messages, {people:,} contacts …", file=sys.stderr, flush=True)
                own = Path(folder) / name.replace(" ", "-")
                own.mkdir()
                places[name] = place = Place(databases.migrated(), own, stub_port)
                place.endpoint("/hook")
                endpoint = str(place.get("/webhooks")["data"][0]["id"])
                # Its clocks would look through tables that have no index meanwhile.
                place.stop()
                asyncio.run(fill(place.url, many, people, endpoint, now_ms))
                place.server = place.start_server()
            print(f"large is {asyncio.run(_sizes(places['large'].url))}", flush=True)
            results = asked(narrowed, places, postmaster, rounds, seconds / 5)
            print("\n".join(report(results)), flush=True)
            if not only_lists:
                rest = asked(questions, places, postmaster, rounds, seconds / 5) | loaded(
                    places, postmaster, rounds, seconds
                )
                print("\n".join(["", *report(rest)]), flush=True)
                results |= rest
                for what in FORGOTTEN:
                    forget_a_month(places["large"], postmaster, what, now_ms, seconds)
    finally:
        for place in places.values():
            place.close()
        stub.terminate()
        stub.wait(20)
        databases.close()
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "large.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


def forget_a_month(place: Place, postmaster: int, what: str, now_ms: int, seconds: float) -> None:
    _, alone = place.send(seconds)
    before = family_cpu_s(postmaster)
    child = subprocess.Popen(
        [sys.executable, "-m", "bench.large", "--forget", place.url, what, str(now_ms)],
        stdout=subprocess.PIPE, text=True, cwd=HERE.parent, env=place.environment,
    )  # fmt: skip
    _, beside = place.send(seconds)
    count, took = json.loads(child.communicate()[0])
    spent = (family_cpu_s(postmaster) - before) / max(count, 1) * 1_000
    print(
        f"A month is forgotten: {count:,} {what} in {took:.0f} s ({count / took:,.0f} a second, {spent:.3f} CPU ms of the "
        f"database for each, sends included); a send takes p50 {beside:.1f} ms meanwhile, {alone:.1f} ms before."
    )


def report(results: Figures) -> list[str]:
    lines = ["| what | nearly empty | large | ratio |", "|---|---|---|---|"]
    for what, one in results.items():
        small, large = one["nearly empty"], one["large"]
        told = "" if large < small * AIM else " (above the aim)"
        lines.append(f"| {what} | {small:.2f} | {large:.2f} | {large / small:.2f}{told} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=10_000_000)
    parser.add_argument("--contacts", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3, help="1 with --quick")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each load")
    parser.add_argument("--lists", action="store_true", help="only what lists are narrowed to, at a million messages")
    parser.add_argument("--quick", action="store_true", help="with --lists: at a tenth of that")
    parser.add_argument("--db", action="append", help="PostgreSQL it is; taken so that every benchmark is called alike")
    parser.add_argument("--forget", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.forget:
        print(json.dumps(asyncio.run(forgotten(options.forget[0], options.forget[1], int(options.forget[2])))))
        return
    if options.lists:
        options.messages, options.contacts = (100_000, 10_000) if options.quick else (1_000_000, 100_000)
        options.rounds = 1 if options.quick else options.rounds
    run(options.messages, options.contacts, options.rounds, options.seconds, only_lists=options.lists)


if __name__ == "__main__":
    main()
