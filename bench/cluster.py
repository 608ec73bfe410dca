"""One, two and four processes on one PostgreSQL: what a message costs each of them together, and the database.

    python -m bench.cluster [--quick]

The processes share a port (`tablegram serve --workers N`), so that most sends are taken by a process that does not hold their line
and are handed to the one that does. Sends and callbacks come at a steady rate, so many a second for each process; sends are counted
until the last one is out, callbacks until the receiver has them all. Then as many sends as go, which tells where the cores end: the
processes, the database, the stub of the network and the load share this machine. At last the same by as many processes that share
nothing, so that what the full machine costs is told from what sharing costs. Compare the rows of one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import asyncpg

from bench.inbound import CONNECTIONS as CALLING
from bench.inbound import Bench
from bench.run import HERE, TICKS, start
from tests.databases import Server
from tests.ports import free_port
from tests.product import Process, fetch, wait_until

PROCESSES = (1, 2, 4)
LINES = 8
# Of each process: what a process stores together is what makes a message cheap, and a shared load would leave each less of it.
CONNECTIONS = 64
RATE = 250
# Callbacks cost more, also the database: four times so many are still within two cores.
CALLBACK_RATE = 100
_LEFT = "SELECT count(*) FROM messages WHERE direction = 'out' AND state = 'queued'"

Figures = dict[str, float]
# CPU seconds so far, of the processes and of the database.
Spent = Callable[[], tuple[float, float]]
SATURATED = "sends, as many as go"
APART = "the same, sharing nothing"


def family_cpu_s(root: int) -> float:
    """CPU of a process and of all below it, those that have ended included."""
    total, parents = 0.0, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1]), sum(int(fields[at]) for at in (11, 12, 13, 14)) / TICKS
    for pid, (_, spent) in parents.items():
        above = pid
        while above and above != root:
            above = parents[above][0] if above in parents else 0
        total += spent if above == root else 0.0
    return total


class Workers(Bench):
    """So many processes behind one port, with lines and an endpoint."""

    def __init__(self, url: str, folder: Path, processes: int, stub_port: int, postmaster: int) -> None:
        self._processes = processes
        self._folder = folder
        self._stub_port = stub_port
        self._postmaster = postmaster
        self._url = url
        super().__init__(url, folder)

    def start_server(self) -> Any:
        self.environment |= {
            "TABLEGRAM_WORKERS": str(self._processes),
            "TABLEGRAM_CLOUD_BASE_URL": f"http://127.0.0.1:{self._stub_port}",
        }
        ready = f"http://127.0.0.1:{self.port}/readyz"
        process = Process(["serve"], self.environment, self._folder / "server.log", ready)
        # Not forked off a process that has loaded everything: each pays for itself.
        popen: Any = subprocess.Popen(
            [sys.executable, "-m", "tablegram", "serve"], env=self.environment, cwd=HERE.parent,
            stdout=(self._folder / "server.log").open("wb"), stderr=subprocess.STDOUT,
        )  # fmt: skip
        process.process = popen
        process.wait_until_ready()
        return popen

    def more_lines(self) -> list[str]:
        headers = {"Authorization": f"Bearer {self.environment['BENCH_KEY']}"}
        api = f"http://127.0.0.1:{self.port}/api/v1/instances"
        for number in range(2, LINES + 1):
            secrets = dict.fromkeys(("access_token", "app_secret", "verify_token"), "s")
            body = {"kind": "cloud", "phone_number_id": str(number), **secrets}
            status, answer = fetch(api, method="POST", body=body, headers=headers)
            assert status == 201, answer
        lines = fetch(api, headers=headers)[1]["data"]
        return [str(line["id"]) for line in lines]

    def spent(self) -> tuple[float, float]:
        return family_cpu_s(self.server.pid), family_cpu_s(self._postmaster)

    def send(self, messages: int, lines: list[str], rate: float = 0) -> tuple[int, float]:
        # As many callers as go are as many processes: one alone has less and less of the cores, and keeps the others waiting for it.
        loads = 1 if rate else self._processes
        began = time.perf_counter()
        with ThreadPoolExecutor(loads) as pool:
            sent = sum(pool.map(lambda number: self._load(messages // loads, lines, rate, loads, number), range(loads)))
        wait_until(lambda: asyncio.run(self._left()) == 0, "everything to be out", 300)
        return sent, time.perf_counter() - began

    def _load(self, messages: int, lines: list[str], rate: float, loads: int, number: int) -> int:
        arguments = [
            str(self.port),
            self.environment["BENCH_KEY"],
            str(CONNECTIONS * self._processes // loads),
            str(messages),
            ",".join(lines[number:] + lines[:number]),
            *([str(rate)] if rate else []),
        ]
        done = subprocess.run(
            [sys.executable, "-m", "bench.cluster_load", *arguments], capture_output=True, text=True, check=True,
            cwd=HERE.parent, env=self.environment,
        )  # fmt: skip
        told = json.loads(done.stdout)
        assert not told["errors"], told
        return int(told["sent"])

    async def _left(self) -> int:
        connection = await asyncpg.connect(self._url)
        try:
            return int(await connection.fetchval(_LEFT))
        finally:
            await connection.close()

    async def count_rows(self) -> None:
        connection = await asyncpg.connect(self._url)
        try:
            await connection.execute("ANALYZE")
        finally:
            await connection.close()

    def receive(self, rate: float, seconds: float) -> tuple[int, float]:
        began, delivered = time.perf_counter(), 0
        # The network keeps so many open for each process: else those that share them would be told one callback at a time.
        offered = self.offer(rate, seconds, connections=CALLING * self._processes)["acknowledged"]

        def all_there() -> bool:
            nonlocal delivered
            delivered += self.seen()["delivered"]
            return bool(delivered >= offered)

        wait_until(all_there, "every event at the receiver", 300)
        return delivered, time.perf_counter() - began


def resting(spent: Spent) -> tuple[float, float]:
    """What a second costs while nobody calls."""
    before, seconds = spent(), 8.0
    time.sleep(seconds)
    server, database = spent()
    return (server - before[0]) / seconds, (database - before[1]) / seconds


def cost(spent: Spent, rest: tuple[float, float], work: Callable[[], tuple[int, float]]) -> Figures:
    before = spent()
    count, took = work()
    server, database = spent()
    # What the clocks of each process cost whether anybody calls or not is no part of a message.
    return {
        "per_s": count / took,
        "server_ms": (server - before[0] - rest[0] * took) / count * 1_000,
        "database_ms": (database - before[1] - rest[1] * took) / count * 1_000,
    }


def measure(databases: Server, processes: int, messages: int, seconds: float) -> dict[str, Figures]:
    stub_port, url = free_port(), databases.migrated()
    stub = start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    postmaster = int((databases.cluster.data / "postmaster.pid").read_text().split()[0])
    try:
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            bench = Workers(url, Path(folder), processes, stub_port, postmaster)
            try:
                bench.endpoint("/hook")
                lines = bench.more_lines()
                bench.send(messages // 4, lines)
                bench.receive(100, 2.0)
                # As a server does by itself within minutes: until then it takes any index that names two columns for as good as the key.
                asyncio.run(bench.count_rows())
                # Lines and endpoints are spread by then, and nobody works on the messages any more: with one process as with four.
                time.sleep(15)
                rest = resting(bench.spent)
                return {
                    "rest": {"server_ms": rest[0] * 1_000, "database_ms": rest[1] * 1_000, "per_s": 0.0},
                    "sends": cost(bench.spent, rest, lambda: bench.send(int(RATE * seconds), lines, RATE * processes)),
                    "callbacks": cost(bench.spent, rest, lambda: bench.receive(CALLBACK_RATE * processes, seconds)),
                    SATURATED: cost(bench.spent, rest, lambda: bench.send(messages, lines)),
                }
            finally:
                bench.close()
    finally:
        stub.terminate()
        stub.wait(20)
        databases.drop(url)


def apart(databases: Server, servers: int, messages: int) -> Figures:
    """The same number of processes that share nothing, each with a database of its own: what the machine makes dearer by itself."""
    stub_port = free_port()
    stub = start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    postmaster = int((databases.cluster.data / "postmaster.pid").read_text().split()[0])
    with ExitStack() as stack:
        stack.callback(stub.wait, 20)
        stack.callback(stub.terminate)
        benches: list[tuple[Workers, list[str]]] = []
        for _ in range(servers):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tablegram-bench-"))
            url = databases.migrated()
            stack.callback(databases.drop, url)
            bench = Workers(url, Path(folder), 1, stub_port, postmaster)
            stack.callback(bench.close)
            benches.append((bench, bench.more_lines()))
            bench.send(messages // 4, benches[-1][1])
            asyncio.run(bench.count_rows())
        time.sleep(15)

        def spent() -> tuple[float, float]:
            return sum(family_cpu_s(bench.server.pid) for bench, _ in benches), family_cpu_s(postmaster)

        def at_once() -> tuple[int, float]:
            began = time.perf_counter()
            with ThreadPoolExecutor(servers) as pool:
                sent = list(pool.map(lambda one: one[0].send(messages // servers, one[1])[0], benches))
            return sum(sent), time.perf_counter() - began

        return cost(spent, resting(spent), at_once)


def run(rounds: int, messages: int, seconds: float) -> dict[str, dict[int, Figures]]:
    found: dict[tuple[str, int], list[Figures]] = {}
    databases = Server()
    try:
        for number in range(rounds):
            for processes in PROCESSES:
                print(f"round {number + 1}: processes: {processes} …", file=sys.stderr, flush=True)
                for what, figures in measure(databases, processes, messages, seconds).items():
                    found.setdefault((what, processes), []).append(figures)
            print(f"round {number + 1}: processes: {PROCESSES[-1]} that share nothing …", file=sys.stderr, flush=True)
            found.setdefault((APART, PROCESSES[-1]), []).append(apart(databases, PROCESSES[-1], messages))
    finally:
        databases.close()
    results: dict[str, dict[int, Figures]] = {}
    for (what, processes), some in found.items():
        middle = {name: statistics.median(one[name] for one in some) for name in some[0]}
        results.setdefault(what, {})[processes] = middle
    return results


def report(results: dict[str, dict[int, Figures]]) -> list[str]:
    lines = ["| what | processes | a second | CPU ms, processes | CPU ms, database | together, against one |"]
    lines.append("|---|---|---|---|---|---|")
    for what in ("sends", "callbacks", SATURATED, APART):
        alone = sum(results[SATURATED if what == APART else what][1][name] for name in ("server_ms", "database_ms"))
        for processes, one in results[what].items():
            ratio = (one["server_ms"] + one["database_ms"]) / alone
            lines.append(
                f"| {what} | {processes} | {one['per_s']:,.0f} | {one['server_ms']:.2f} | {one['database_ms']:.2f} | {ratio:.2f} |"
            )
    for processes, one in results["rest"].items():
        lines.append(f"| a second of rest | {processes} | | {one['server_ms']:.0f} | {one['database_ms']:.0f} | |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--db", action="append", help="PostgreSQL it is; taken so that every benchmark is called alike")
    options = parser.parse_args()
    rounds, messages, seconds = (1, 3_000, 5.0) if options.quick else (3, 10_000, 15.0)
    began = os.getloadavg()[0]
    results = run(rounds, messages, seconds)
    print(
        f"{os.cpu_count()} cores, load {began:.1f} at the start; {RATE} sends/s and {CALLBACK_RATE} callbacks/s a process; then {messages:,} sends by {CONNECTIONS} connections a process; {LINES} lines"
    )
    print("\n".join(report(results)))
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "cluster.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
