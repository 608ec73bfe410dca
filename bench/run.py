"""Sends per second, on both databases, beside the baselines measured in the same run.

    python -m bench.run            the whole table, about six minutes
    python -m bench.run --quick    a rough one in a minute

Generator, server, stub network and database share this machine. Figures are medians over the rounds; compare
ratios within a run, not absolute figures between machines.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.databases import open_databases
from tests.ports import free_port

HERE = Path(__file__).parent
RAISED = {
    "TABLEGRAM_RATE_LIMIT": "1000000",
    "TABLEGRAM_RATE_BURST": "1000000",
    "TABLEGRAM_ANONYMOUS_RATE_LIMIT": "1000000",
    "TABLEGRAM_ANONYMOUS_RATE_BURST": "1000000",
    "TABLEGRAM_GUEST_CARTS_H": "0",
    "TABLEGRAM_GUEST_ORDERS_H": "0",
    "TABLEGRAM_GUEST_CALLS_H": "0",
    "TABLEGRAM_CLOUD_PACE": "0",
    "TABLEGRAM_RECIPIENT_INTERVAL_S": "0",
    "TABLEGRAM_LOG_LEVEL": "warning",
}
TICKS = os.sysconf("SC_CLK_TCK")

Figures = dict[str, Any]


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def rss_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1_024


def database_cpu_s() -> float:
    """CPU of every database server process on the machine, those that ended since included in their parent."""
    total = 0.0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == "postgres":
                    fields = (entry / "stat").read_text().rpartition(")")[2].split()
                    total += sum(int(fields[at]) for at in (11, 12)) / TICKS
            except OSError:
                continue
    return total


def start(*arguments: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments], env=environment, stdout=subprocess.PIPE, text=True, cwd=HERE.parent
    )
    assert process.stdout is not None
    if process.stdout.readline().strip() != "ready":
        raise SystemExit(f"{arguments} did not start")
    return process


def tablegram(*arguments: str, environment: dict[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "tablegram", *arguments, "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE.parent,
    )
    return json.loads(done.stdout)


def prepare(url: str, folder: Path, stub_port: int) -> dict[str, str]:
    """An account with a cloud line to the stub network, and its key in the environment that is returned."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")},
        **RAISED,
        "TABLEGRAM_DATABASE_URL": url,
        "TABLEGRAM_DATA_DIR": str(folder),
        "TABLEGRAM_PORT": str(free_port()),
        "TABLEGRAM_CLOUD_BASE_URL": f"http://127.0.0.1:{stub_port}",
    }
    tablegram("account", "create", "bench", environment=environment)
    credentials = ["--phone-number-id", "1", "--access-token", "t", "--app-secret", "s", "--verify-token", "v"]
    tablegram("instance", "create", "--account", "bench", "--kind", "cloud", *credentials, environment=environment)
    key = tablegram("key", "create", "--account", "bench", environment=environment)
    return {**environment, "BENCH_KEY": key["key"]}


def measure(variant: str, connections: list[int], seconds: float, environment: dict[str, str]) -> list[Figures]:
    """Start one variant and load it, at each number of connections in turn."""
    server = start("bench.variants", variant, environment=environment)
    try:
        return [_load(server.pid, count, seconds, environment) for count in connections]
    finally:
        server.terminate()
        server.wait(20)


def _load(pid: int, connections: int, seconds: float, environment: dict[str, str]) -> Figures:
    arguments = [environment["TABLEGRAM_PORT"], environment["BENCH_KEY"], str(connections)]
    _generate(arguments, min(2.0, seconds / 2), environment)
    before, database_before = cpu_s(pid), database_cpu_s()
    figures = _generate(arguments, seconds, environment)
    thousands = max(1, figures["sent"]) / 1_000
    figures["cpu_s_per_1000"] = (cpu_s(pid) - before) / thousands
    figures["database_cpu_s_per_1000"] = (database_cpu_s() - database_before) / thousands
    figures["rss_mb"] = rss_mb(pid)
    return figures


def _generate(arguments: list[str], seconds: float, environment: dict[str, str]) -> Figures:
    done = subprocess.run(
        [sys.executable, "-m", "bench.generator", *arguments, str(seconds)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE.parent,
    )
    figures: Figures = json.loads(done.stdout)
    return figures


def store_step(variant: str, seconds: float, environment: dict[str, str]) -> Figures:
    done = subprocess.run(
        [sys.executable, "-m", "bench.store_step", variant, str(seconds)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=HERE.parent,
    )
    figures: Figures = json.loads(done.stdout)
    return figures


def run(kinds: list[str], rounds: int, seconds: float) -> dict[str, Figures]:
    stub_port = free_port()
    stub = start("bench.stub_network", str(stub_port), environment=dict(os.environ))
    runs: dict[str, list[Figures]] = defaultdict(list)
    try:
        for kind in kinds:
            databases = open_databases(kind)
            for number in range(rounds):
                _round(kind, number, databases, stub_port, seconds, runs)
            databases.close()
    finally:
        stub.terminate()
    return {name: _median(figures) for name, figures in runs.items()}


def _round(
    kind: str, number: int, databases: Any, stub_port: int, seconds: float, runs: dict[str, list[Figures]]
) -> None:
    plan = {"group": [64, 16, 1], "single": [64], "session": [64], "ceiling": [64]}
    for variant, connections in plan.items():
        with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
            url = databases.migrated()
            environment = prepare(url, Path(folder), stub_port)
            print(f"{kind}, round {number + 1}: {variant} …", file=sys.stderr, flush=True)
            for figures in measure(variant, connections, seconds, environment):
                runs[f"{kind} {variant} {figures['connections']}"].append(figures)
            if variant != "ceiling":
                runs[f"{kind} store {variant}"].append(store_step(variant, seconds / 2, environment))
            databases.drop(url)


def _median(runs: list[Figures]) -> Figures:
    merged: Figures = {"rounds": len(runs), "errors": {}}
    for name in runs[0]:
        if name == "errors":
            for one in runs:
                merged["errors"] |= one["errors"]
        else:
            merged[name] = statistics.median(one[name] for one in runs)
    return merged


def report(results: dict[str, Figures], kinds: list[str]) -> list[str]:
    lines = [
        "| database | way of storing | connections | sends/s | p50 ms | p99 ms | CPU s/1,000 | database CPU s/1,000 | MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, one in results.items():
        kind, variant, connections = name.split()
        if variant != "store":
            lines.append(
                f"| {kind} | {variant} | {connections} | {one['per_s']:,.0f} | {one['p50_ms']:.1f} | {one['p99_ms']:.1f} "
                f"| {one['cpu_s_per_1000']:.2f} | {one['database_cpu_s_per_1000']:.2f} | {one['rss_mb']:.0f} |"
            )
    lines += ["", "| database | compared at 64 connections | ratio |", "|---|---|---|"]
    for kind in kinds:
        ours = results[f"{kind} group 64"]["per_s"]
        for variant, words in (("single", "one transaction a request"), ("session", "a session a request")):
            lines.append(
                f"| {kind} | end to end, against {words} | {ours / results[f'{kind} {variant} 64']['per_s']:.1f} |"
            )
            alone = results[f"{kind} store group"]["per_s"] / results[f"{kind} store {variant}"]["per_s"]
            lines.append(f"| {kind} | store step alone, against {words} | {alone:.1f} |")
        lines.append(
            f"| {kind} | of the ceiling (no store, no network) | {ours / results[f'{kind} ceiling 64']['per_s']:.2f} |"
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    options = parser.parse_args()
    kinds = options.db or ["sqlite", "postgresql"]
    rounds, seconds = (1, 3.0) if options.quick else (3, 8.0)
    results = run(kinds, rounds, seconds)
    print("Raised by settings:", ", ".join(f"{name}={value}" for name, value in RAISED.items()))
    print("\n".join(report(results, kinds)))
    errors = {name: one["errors"] for name, one in results.items() if one["errors"]}
    if errors:
        print("Answers that were not an accepted message:", json.dumps(errors, indent=1))
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    target = folder / "send.json"
    target.write_text(json.dumps({"at": time.time(), "settings": RAISED, "results": results}, indent=1))
    print(f"Written to {target.relative_to(HERE.parent)}")


if __name__ == "__main__":
    main()
