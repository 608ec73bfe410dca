"""From the network's callback to the customer's server: how many a second, and how long each is on its way.

    python -m bench.inbound [--quick] [--db sqlite|postgresql] [--soak SECONDS]

Server, network, receiver and database share this machine. The lag is from the moment the network made the callback to
the moment the receiver had the event, both on this machine's clock.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.run import HERE, cpu_s, prepare, rss_mb, start, tablegram
from tests.databases import open_databases
from tests.ports import free_port
from tests.product import fetch

CONNECTIONS = 16
# The network's id of the other account's line.
OTHER_LINE = "2"
Figures = dict[str, Any]


class Bench:
    """A running server with an account, a line and an endpoint at the receiver."""

    def __init__(self, url: str, folder: Path) -> None:
        self.receiver_port = free_port()
        environment = prepare(url, folder, free_port())
        self.environment = {**environment, "TABLEGRAM_ALLOWED_PRIVATE_TARGETS": "127.0.0.0/8"}
        self.port = int(environment["TABLEGRAM_PORT"])
        self.receiver = subprocess.Popen(
            [sys.executable, "-m", "bench.receiver", str(self.receiver_port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=HERE.parent,
            env=self.environment,
        )
        assert self.receiver.stdout is not None
        self.receiver.stdout.readline()
        self.server = self.start_server()
        self.hook_key = self.callback_key("bench")

    def start_server(self) -> subprocess.Popen[str]:
        return start("bench.variants", "group", environment=self.environment)

    def callback_key(self, account: str) -> str:
        (line,) = tablegram("instance", "list", "--account", account, environment=self.environment)
        return str(line["callback_url"]).rsplit("/", 1)[1]

    def endpoint(self, path: str, key: str | None = None, port: int | None = None) -> None:
        body = {"url": f"http://127.0.0.1:{port or self.receiver_port}{path}", "events": ["messages.upsert"]}
        status, answer = fetch(
            f"http://127.0.0.1:{self.port}/api/v1/webhooks",
            method="POST",
            body=body,
            headers={"Authorization": f"Bearer {key or self.environment['BENCH_KEY']}"},
        )
        assert status == 201, answer

    def other_account(self) -> tuple[str, str]:
        """A second account: its key and its callback key."""
        tablegram("account", "create", "other", environment=self.environment)
        credentials = [
            "--phone-number-id",
            OTHER_LINE,
            "--access-token",
            "t",
            "--app-secret",
            "s",
            "--verify-token",
            "v",
        ]
        tablegram(
            "instance", "create", "--account", "other", "--kind", "cloud", *credentials, environment=self.environment
        )
        key = tablegram("key", "create", "--account", "other", environment=self.environment)["key"]
        return key, self.callback_key("other")

    def seen(self) -> Figures:
        assert self.receiver.stdin is not None
        assert self.receiver.stdout is not None
        self.receiver.stdin.write("\n")
        self.receiver.stdin.flush()
        figures: Figures = json.loads(self.receiver.stdout.readline())
        return figures

    def offer(
        self, rate: float, seconds: float, hook_key: str | None = None, connections: int = CONNECTIONS, line: str = "1"
    ) -> Figures:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "bench.callbacks",
                str(self.port),
                hook_key or self.hook_key,
                str(rate),
                str(seconds),
                str(connections),
            ],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            cwd=HERE.parent,
            env=self.environment | {"BENCH_LINE": line},
        )
        figures: Figures = json.loads(done.stdout)
        return figures

    def close(self) -> None:
        self.server.terminate()
        self.server.wait(20)
        self.receiver.terminate()
        self.receiver.wait(20)


def measure(bench: Bench, rate: float, seconds: float) -> Figures:
    bench.offer(min(rate, 300), 1.0)
    time.sleep(1)
    bench.seen()
    before, cpu = rss_mb(bench.server.pid), cpu_s(bench.server.pid)
    offered = bench.offer(rate, seconds)
    # What is still on its way belongs to this run; a lag that grows without end shows in the p99.
    time.sleep(3)
    seen = bench.seen()
    lag = seen["lags"].get("/hook", {"p50_ms": 0.0, "p99_ms": 0.0})
    return {
        "offered": rate,
        "acknowledged_per_s": offered["per_s"],
        "acknowledged": offered["acknowledged"],
        "delivered": seen["delivered"],
        "delivered_per_s": seen["delivered"] / offered["seconds"],
        "p50_ms": lag["p50_ms"],
        "p99_ms": lag["p99_ms"],
        "wrong": seen["wrong"],
        "repeated": seen["repeated"],
        "cpu_s_per_1000": (cpu_s(bench.server.pid) - cpu) / max(1, seen["delivered"]) * 1_000,
        "mb_before": before,
        "mb_after": rss_mb(bench.server.pid),
    }


def neighbour(bench: Bench, pending: int, rate: float, seconds: float) -> Figures:
    """Another account's lag while one account has a dead endpoint with thousands of events waiting."""
    key, hook_key = bench.other_account()
    bench.endpoint("/other", key)
    bench.offer(rate, seconds, hook_key, line=OTHER_LINE)
    time.sleep(1)
    alone = bench.seen()["lags"]["/other"]["p95_ms"]
    bench.endpoint("/dead", port=1)
    bench.offer(1_000, pending / 1_000)
    time.sleep(5)
    bench.seen()
    bench.offer(rate, seconds, hook_key, line=OTHER_LINE)
    time.sleep(1)
    beside = bench.seen()["lags"]["/other"]["p95_ms"]
    return {"pending": pending, "alone_p95_ms": alone, "beside_p95_ms": beside, "ratio": beside / alone}


def run(kind: str, rates: list[float], seconds: float, pending: int, soak_s: float) -> Figures:
    databases = open_databases(kind)
    results: Figures = {"rates": []}
    with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
        bench = Bench(databases.migrated(), Path(folder))
        try:
            bench.endpoint("/hook")
            for rate in rates:
                print(f"{kind}: {rate:g} messages/s …", file=sys.stderr, flush=True)
                results["rates"].append(measure(bench, rate, seconds))
            if soak_s:
                print(f"{kind}: {soak_s:g} s at 500/s, after a minute of the same …", file=sys.stderr, flush=True)
                # What the process remembers on purpose, as ids of recent callbacks, is full by then.
                bench.offer(500, 60.0)
                results["soak"] = measure(bench, 500, soak_s)
            if pending:
                print(f"{kind}: a dead neighbour with {pending} events …", file=sys.stderr, flush=True)
                results["neighbour"] = neighbour(bench, pending, 200, max(5.0, seconds / 2))
        finally:
            bench.close()
            databases.close()
    return results


def report(kind: str, results: Figures) -> list[str]:
    lines = []
    for one in [*results["rates"], *([results["soak"]] if "soak" in results else [])]:
        lines.append(
            f"| {kind} | {one['offered']:,.0f} | {one['acknowledged_per_s']:,.0f} | {one['delivered_per_s']:,.0f} "
            f"| {one['p50_ms']:.1f} | {one['p99_ms']:.1f} | {one['wrong']} | {one['repeated']} "
            f"| {one['cpu_s_per_1000']:.2f} | {one['mb_before']:.0f} → {one['mb_after']:.0f} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="short runs, no neighbour")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    parser.add_argument("--soak", type=float, default=0.0, metavar="SECONDS", help="and a long run, for the memory")
    options = parser.parse_args()
    seconds, pending = (4.0, 0) if options.quick else (15.0, 10_000)
    kinds = options.db or ["sqlite", "postgresql"]
    results = {kind: run(kind, [300, 1_000, 1_500], seconds, pending, options.soak) for kind in kinds}
    print(f"{CONNECTIONS} connections, {seconds:g} s each")
    print(
        "| database | offered/s | acknowledged/s | delivered/s | lag p50 ms | lag p99 ms | wrong sender | repeated | CPU s/1,000 | MB |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for kind in kinds:
        print("\n".join(report(kind, results[kind])))
    for kind in kinds:
        if "neighbour" in results[kind]:
            one = results[kind]["neighbour"]
            print(
                f"{kind}: with {one['pending']:,} events waiting for a dead endpoint, another account's lag p95 is "
                f"{one['beside_p95_ms']:.1f} ms instead of {one['alone_p95_ms']:.1f} ms ({one['ratio']:.2f} times)"
            )
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "inbound.json").write_text(json.dumps({"at": time.time(), "results": results}, indent=1))


if __name__ == "__main__":
    main()
