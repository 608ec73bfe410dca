"""python -m tools.mutants                 every area, in turn
    python -m tools.mutants ledgers carts   these areas
    python -m tools.mutants --name 1f0c…    one change, which is shown
    python -m tools.mutants ledgers --tests loyalty/test_points.py
                                            what nobody noticed, against a test that was just written

Prints what nobody noticed, as a diff, and how many were noticed, by area. What was found is kept in a file, so that a run that
was stopped goes on; `--anew` forgets it. It ends with an error when fewer than 95 of 100 were noticed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.mutants.areas import AREAS, ROOT, SOURCE, Area
from tools.mutants.changes import Change, changes
from tools.mutants.loop import BUDGET_S, Loop
from tools.mutants.same import SAME

TO_REACH = 0.95
PER_FUNCTION = 3
NOTICED = ("noticed", "never ended", "died")
KEPT = ROOT / ".mutants.json"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Changes meanings; tests must notice.")
    parser.add_argument("areas", nargs="*", help=f"of: {', '.join(area.name for area in AREAS)}")
    parser.add_argument("--count", type=int, help="so many changes in each area")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--anew", action="store_true", help="forget what earlier runs found")
    parser.add_argument("--name", help="only this change")
    parser.add_argument("--tests", nargs="+", default=[], help="these files of tests alone, instead of the area's")
    parser.add_argument(
        "--budget", type=float, default=BUDGET_S, help="seconds of a processor for the tests of a change"
    )
    parser.add_argument("--untried", action="store_true", help="leave out what was tried before, whatever came of it")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = {*given.areas} - {area.name for area in AREAS}
    if unknown:
        parser.error(f"There is no area {', '.join(sorted(unknown))}. {parser.format_help()}")
    if given.one:
        return _run(next(area for area in AREAS if area.name == given.one), given)
    if given.anew:
        KEPT.unlink(missing_ok=True)
    areas = [area for area in AREAS if area.name in given.areas or not given.areas]
    for area in areas:
        # A process of its own: each loads only what it needs.
        argv = [sys.executable, "-m", "tools.mutants", "--one", area.name, "--jobs", str(given.jobs)]
        argv += ["--count", str(given.count)] if given.count else []
        argv += ["--name", given.name] if given.name else []
        argv += ["--untried"] if given.untried else []
        argv += ["--budget", str(given.budget), "--tests", *(given.tests or area.tests)]
        if subprocess.run(argv, cwd=ROOT, check=False).returncode:
            print(f"The changes of {area.name} could not be tried.")
            return 2
    return _sum_up(areas, given)


def chosen(area: Area, count: int | None = None) -> list[Change]:
    """Always the same ones as long as the functions say the same; few of one function, so that many have their turn."""
    of_function: dict[tuple[str, str], list[Change]] = {}
    for path in area.files():
        file = str(path.relative_to(SOURCE))
        for change in changes(file, path.read_bytes()):
            if change.name not in SAME:
                of_function.setdefault((file, change.function), []).append(change)
    taken = [
        change for ones in of_function.values() for change in sorted(ones, key=lambda one: one.name)[:PER_FUNCTION]
    ]
    return sorted(taken, key=lambda one: one.name)[: count or area.count]


def _run(area: Area, given: argparse.Namespace) -> int:
    kept = _kept()
    ours = chosen(area, given.count) if not given.name else [c for c in chosen(area, 10_000) if c.name == given.name]
    over = ("survived", *NOTICED) if given.untried else NOTICED
    wanted = [change for change in ours if given.name or kept.get(change.name, {}).get("outcome") not in over]
    if not wanted:
        return 0
    print(f"{area.name}: {len(wanted)} changes to try, {len(ours) - len(wanted)} noticed before", flush=True)

    def tell(change: Change, outcome: str, test: str) -> None:
        now = {**_kept(), change.name: {"outcome": outcome, "test": test}}
        # At once or not at all: another run may read it.
        fresh = KEPT.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(now, indent=1))
        fresh.replace(KEPT)
        if outcome in NOTICED:
            print(f"  {change.name} {outcome}: {change.file}:{change.line}", flush=True)
        else:
            print(_shown(change, outcome), flush=True)

    tests = [str(ROOT / "tests" / name) for name in given.tests]
    quiet = [
        "-q",
        "-n",
        "0",
        "--db",
        "sqlite",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow and not browser",
        "--capture=fd",
    ]
    ended = pytest.main([*quiet, *tests], plugins=[Loop(wanted, given.jobs, given.budget, tell)])
    return 0 if ended in (0, 5) else 1


def _kept() -> dict[str, Any]:
    return json.loads(KEPT.read_text()) if KEPT.exists() else {}


def _shown(change: Change, outcome: str) -> str:
    source = Path(SOURCE / change.file).read_bytes()
    first = source.rfind(b"\n", 0, change.start) + 1
    last = source.find(b"\n", change.end)
    before = source[first:last].decode()
    after = (source[first : change.start] + change.after.encode() + source[change.end : last]).decode()
    lines = [f"  - {line}" for line in before.splitlines()] + [f"  + {line}" for line in after.splitlines()]
    head = f"  {change.name} {outcome.upper()}: {change.file}:{change.line} {change.function} ({change.kind})"
    return "\n".join([head, *lines])


def _sum_up(areas: list[Area], given: argparse.Namespace) -> int:
    kept = _kept()
    if given.name:
        return 0
    tried = noticed = 0
    print("\n| area | changes | noticed | not noticed |\n|---|---|---|---|")
    survivors = []
    for area in areas:
        ones = chosen(area, given.count)
        seen = [one for one in ones if kept.get(one.name, {}).get("outcome") in NOTICED]
        survivors += [one for one in ones if one not in seen]
        tried, noticed = tried + len(ones), noticed + len(seen)
        print(f"| {area.name} | {len(ones)} | {len(seen)} | {len(ones) - len(seen)} |")
    print(f"| together | {tried} | {noticed} | {tried - noticed} |\n")
    for one in survivors:
        print(_shown(one, kept.get(one.name, {}).get("outcome", "not tried")))
    print(f"{noticed / tried:.1%} of {tried} were noticed; to reach: {TO_REACH:.0%}")
    return 0 if noticed / tried >= TO_REACH else 1


if __name__ == "__main__":
    sys.exit(main())
