"""The same loads on this tree and on another commit, turn by turn, so that noise meets both alike.

    make bench-compare BASE=main~20                         both databases, about ten minutes
    make bench-compare BASE=v1.3 BENCH_ARGS='--rounds 2'    a rough one
    make bench-compare BENCH_ARGS='--load counted --rounds 1'    instructions instead of seconds, for a busy machine

The other commit is checked out beside this one, with this environment's packages where it locked the same ones, else with
its own, which takes minutes to install; or it is a checkout that is there, with its own (`BASE=../before`). Each round
measures both trees on a fresh database, and changes who goes first. The table prints medians, and the median of the
rounds' own ratios: a ratio above 1 means more of it here than there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent.parent

# Runs inside either tree, with that tree's own bench modules.
SENDS = """
import json, sys, tempfile
from pathlib import Path
from bench import run
from tests.databases import open_databases
from tests.product import free_port
import os, tablegram
kind, seconds = sys.argv[1], float(sys.argv[2])
port = free_port()
stub = run.start("bench.stub_network", str(port), environment=dict(os.environ))
databases = open_databases(kind)
with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
    environment = run.prepare(databases.migrated(), Path(folder), port)
    figures = run.measure("group", [64, 16, 1], seconds, environment)
stub.terminate()
databases.close()
print(json.dumps({"from": tablegram.__file__, "figures": {
    f"sends, {one['connections']} connections": {
        "per s": one["per_s"], "p50 ms": one["p50_ms"], "p99 ms": one["p99_ms"],
        "CPU s/1,000": one["cpu_s_per_1000"] + one["database_cpu_s_per_1000"],
    } for one in figures}}))
"""

INBOUND = """
import json, sys, tempfile
from pathlib import Path
from bench import inbound
from tests.databases import open_databases
import tablegram
kind, seconds = sys.argv[1], float(sys.argv[2])
databases = open_databases(kind)
with tempfile.TemporaryDirectory(prefix="tablegram-bench-") as folder:
    bench = inbound.Bench(databases.migrated(), Path(folder))
    try:
        bench.endpoint("/hook")
        figures = [inbound.measure(bench, rate, seconds) for rate in (300, 1000, 1500)]
    finally:
        bench.close()
        databases.close()
print(json.dumps({"from": tablegram.__file__, "figures": {
    f"inbound, {one['offered']:g}/s": {
        "per s": one["delivered_per_s"], "p50 ms": one["p50_ms"], "p99 ms": one["p99_ms"],
        "CPU s/1,000": one["cpu_s_per_1000"],
    } for one in figures}}))
"""

# Under valgrind, which counts what the server does; no other load changes the figure.
COUNTED = (HERE / "bench" / "counted.py").read_text()

LOADS = {"sends": SENDS, "inbound": INBOUND, "counted": COUNTED}
TIMED = ["sends", "inbound"]
LOCKS = ("requirements.lock", "requirements-dev.lock")

Figures = dict[str, dict[str, float]]


def load(script: str, tree: Path, kind: str, seconds: float) -> Figures:
    environment = {**os.environ, "PYTHONPATH": f"{tree / 'src'}{os.pathsep}{tree}"}
    done = subprocess.run(
        [str(python_of(tree)), "-c", script, kind, str(seconds)],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    if not Path(answer["from"]).is_relative_to(tree):
        raise SystemExit(f"measured {answer['from']} instead of what is in {tree}")
    figures: Figures = answer["figures"]
    return figures


def python_of(tree: Path) -> Path:
    own = tree / ".venv" / "bin" / "python"
    return own if own.exists() else Path(sys.executable)


def check_out(commit: str, tree: Path) -> None:
    subprocess.run(["git", "clone", "--quiet", "--shared", str(HERE), str(tree)], check=True)
    subprocess.run(["git", "checkout", "--quiet", commit], cwd=tree, check=True)
    if any((tree / lock).read_text() != (HERE / lock).read_text() for lock in LOCKS):
        print("installing what that commit needs …", file=sys.stderr, flush=True)
        subprocess.run(["make", "install-dev"], cwd=tree, stdout=subprocess.DEVNULL, check=True)


def compare(
    base: Path, kinds: list[str], loads: list[str], rounds: int, seconds: float
) -> dict[tuple[str, str, str], list[list[float]]]:
    """By database, load and figure: for each round what was measured there, and here."""
    pairs: dict[tuple[str, str, str], list[list[float]]] = defaultdict(list)
    for number in range(rounds):
        for kind in kinds:
            for name in loads:
                print(f"{kind}, round {number + 1}: {name} …", file=sys.stderr, flush=True)
                order = [base, HERE] if number % 2 == 0 else [HERE, base]
                measured = {tree: load(LOADS[name], tree, kind, seconds) for tree in order}
                for what, figures in measured[HERE].items():
                    for figure, here in figures.items():
                        pairs[kind, what, figure].append([measured[base][what][figure], here])
    return pairs


def report(pairs: dict[tuple[str, str, str], list[list[float]]]) -> list[str]:
    lines = ["| database | load | figure | there | here | ratio | rounds |", "|---|---|---|---|---|---|---|"]
    for (kind, what, figure), measured in pairs.items():
        there, here = (statistics.median(values) for values in zip(*measured, strict=True))
        ratios = [mine / theirs for theirs, mine in measured if theirs]
        ratio = statistics.median(ratios) if ratios else float("nan")
        each = " ".join(f"{one:.2f}" for one in ratios)
        lines.append(f"| {kind} | {what} | {figure} | {there:,.2f} | {here:,.2f} | {ratio:.3f} | {each} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the commit or the checkout to compare with")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each load")
    parser.add_argument("--db", action="append", choices=["sqlite", "postgresql"], help="only this database")
    parser.add_argument("--load", action="append", choices=[*LOADS], help="only this load")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tablegram-base-") as folder:
        base = Path(options.base).resolve()
        if not base.is_dir():
            base = Path(folder).resolve() / "tree"
            check_out(options.base, base)
        kinds, loads = options.db or ["sqlite", "postgresql"], options.load or TIMED
        pairs = compare(base, kinds, loads, options.rounds, options.seconds)
    print("\n".join(report(pairs)))


if __name__ == "__main__":
    main()
