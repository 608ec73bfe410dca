"""Run the suite on each database, side by side, and end with where the time went, a line for each and a total.

Arguments are handed on to pytest. The exit status is 0 only when every run passed and every run ran something.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from tests.nursery import HOUSE
from tests.orphans import FOLLOWS, stop_as_with_ctrl_c
from tests.statements import RECORD, read_statements

ROOT = Path(__file__).parent.parent

DATABASES = ("sqlite", "postgresql")
# Many tests wait for a process or a clock while those of another worker compute: so many workers that two processors never
# wait with them. What runs on PostgreSQL is about half of what runs on SQLite.
WORKERS = {"sqlite": 4, "postgresql": 3}
# So much of a statement tells which one it is.
LONGEST = 240
# Where the last whole run names the statements that ran on one database alone.
ONE_SIDED = ROOT / ".pytest_cache" / "statements-on-one-database.txt"
# So many files of tests that nobody has translated yet are left to the workers.
FEW = 30
# So often somebody looks whether a run has ended.
LOOK_S = 0.2
# For runs that are told to stop, until they are killed: their workers clear up first.
STOP_WITHIN_S = 120.0
# How pytest ends when no test was selected.
NOTHING_SELECTED = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one run of the suite ended."""

    database: str
    passed: int
    failed: int
    skipped: int
    seconds: float
    status: int

    @property
    def good(self) -> bool:
        return self.status == 0 and self.failed == 0 and self.passed > 0

    @property
    def nothing_again(self) -> bool:
        """Of what was asked for, nothing depends on the database, and it has run with the first one."""
        return self.database != DATABASES[0] and self.status == NOTHING_SELECTED

    def line(self) -> str:
        counts = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped in {self.seconds:.0f} s"
        if self.good:
            return f"{self.database}: {counts}"
        if self.passed + self.failed == 0:
            return f"{self.database}: {counts}. NO TEST RAN (pytest ended with status {self.status})"
        return f"{self.database}: {counts}. FAILED (pytest ended with status {self.status})"


@dataclass
class Run:
    """One run under way, and the files that it leaves."""

    database: str
    folder: Path
    began: float = field(default_factory=time.monotonic)
    process: subprocess.Popen[bytes] | None = None
    # Where more workers are allowed to it.
    room: int = -1
    status: int | None = None
    seconds: float = 0.0

    @property
    def report(self) -> Path:
        return self.folder / f"{self.database}.xml"

    @property
    def timing(self) -> Path:
        return self.folder / f"{self.database}.json"

    @property
    def statements(self) -> Path:
        return self.folder / f"{self.database}.sql"

    @property
    def said(self) -> Path:
        return self.folder / f"{self.database}.log"


@contextmanager
def nursery_house(folder: Path, *, wanted: bool) -> Iterator[dict[str, str]]:
    """The program loaded once for the workers of both runs. Gives what their environment has to say of it.

    It is not wanted for some files alone: they may never start the program.
    """
    if not wanted:
        yield {}
        return
    address = folder / "nursery"
    house = subprocess.Popen(
        [sys.executable, "-m", "tests.nursery", str(address)], cwd=ROOT, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        yield {HOUSE: str(address)}
    finally:
        house.kill()
        house.wait()


def begin(database: str, arguments: list[str], folder: Path, environment: Mapping[str, str]) -> Run:
    """One run. What no database can change is run with the first one only."""
    seats, room = os.pipe()
    if database != DATABASES[0]:
        arguments = ["--again", *arguments]
    run = Run(database, folder)
    notes = [f"--junitxml={run.report}", f"--timing-to={run.timing}"]
    # The second run speaks when the first one has ended: two at once cannot be read.
    out = None if database == DATABASES[0] else run.said.open("w")
    crew = ["--crew", str(WORKERS[database]), "--seats", str(seats)]
    command = [sys.executable, "-m", "pytest", "--db", database, *notes, *crew, *arguments]
    told = {**os.environ, **environment, RECORD: str(run.statements), FOLLOWS: "1"}
    run.process = subprocess.Popen(
        command, cwd=ROOT, env=told, stdout=out, stderr=out and subprocess.STDOUT, pass_fds=[seats]
    )
    os.close(seats)
    run.room = room
    return run


def wait_for_all(runs: list[Run]) -> None:
    """Whichever ends first leaves its room to the other: its workers go on there."""
    while left := [run for run in runs if run.status is None]:
        for run in left:
            assert run.process is not None
            run.status = run.process.poll()
            if run.status is not None:
                run.seconds = time.monotonic() - run.began
                for other in left:
                    if other.status is None:
                        # It may have ended meanwhile.
                        with suppress(BrokenPipeError):
                            os.write(other.room, b"." * WORKERS[run.database])
        time.sleep(LOOK_S)
    for run in runs:
        os.close(run.room)


def stop(runs: list[Run]) -> None:
    """End those that are still under way, in their own good order."""
    left = [run.process for run in runs if run.process is not None and run.status is None]
    for process in left:
        process.terminate()
    deadline = time.monotonic() + STOP_WITHIN_S
    for process in left:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def end(run: Run) -> Outcome:
    assert run.status is not None
    if run.said.exists():
        print(f"\n== {run.database}", flush=True)
        print(run.said.read_text(errors="replace"), flush=True)
    passed, failed, skipped = count(run.report)
    return Outcome(run.database, passed, failed, skipped, run.seconds, run.status)


def count(report: Path) -> tuple[int, int, int]:
    """Passed, failed and skipped tests of a JUnit report. A run that died leaves none, and so counts nothing."""
    if not report.exists():
        return 0, 0, 0
    failed: set[str] = set()
    skipped: set[str] = set()
    names: set[str] = set()
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        names.add(name)
        # A test that passes and then breaks while clearing up is reported twice; it failed once.
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name)
        elif case.find("skipped") is not None:
            skipped.add(name)
    return len(names - failed - skipped), len(failed), len(skipped - failed)


def failures(report: Path) -> list[str]:
    """Each failed test of a report and why, in one line."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase") if report.exists() else ():
        for wrong in (*case.iter("failure"), *case.iter("error")):
            why = (wrong.get("message") or "").strip().partition("\n")[0]
            found[f"{case.get('classname')}::{case.get('name')}"] = why.removeprefix("AssertionError: ")
    return [f"{name}: {why}" for name, why in found.items()]


def tables(runs: list[Run]) -> list[str]:
    """Where the time of every run went, folder by folder: seconds, and in brackets those of a processor."""
    spent = {run.database: json.loads(run.timing.read_text()) for run in runs if run.timing.exists()}
    folders = {folder for table in spent.values() for folder in table}
    zero = {"tests": 0, "wall_s": 0.0, "cpu_s": 0.0}
    rows = {folder: [table.get(folder, zero) for table in spent.values()] for folder in folders}
    longest = sorted(rows, key=lambda folder: -sum(cell["wall_s"] for cell in rows[folder]))
    together = [
        {name: sum(cells[number][name] for cells in rows.values()) for name in zero} for number in range(len(spent))
    ]
    head = "".join(f"{database:>30}" for database in spent)
    return [
        f"{'seconds (computing), tests':<26}{head}",
        *(f"{folder:<26}" + "".join(map(_cell, rows[folder])) for folder in longest),
        f"{'together':<26}" + "".join(map(_cell, together)),
    ]


def _cell(spent: dict[str, float]) -> str:
    return f"{spent['wall_s']:>13.1f} ({spent['cpu_s']:>6.1f}){spent['tests']:>8.0f}"


def coverage(runs: list[Run], write_to: Path) -> list[str]:
    """How many of the product's statements ran on each database, and how many on one of them alone; a file names those."""
    ran = {run.database: read_statements(run.statements) for run in runs}
    every = set().union(*ran.values())
    lines = ["statements that ran: " + ", ".join(f"{len(names)} on {database}" for database, names in ran.items())]
    named: list[str] = []
    for database, names in ran.items():
        left = sorted(every - names)
        if left:
            lines.append(f"{len(left)} never ran on {database} (a test that is marked `both` brings one there)")
            named += [f"{lines[-1]}:", *(f"  {name[:LONGEST]}" for name in left)]
    if named:
        write_to.parent.mkdir(exist_ok=True)
        write_to.write_text("\n".join([*named, ""]))
        lines.append(f"they are named in {write_to.relative_to(ROOT) if write_to.is_relative_to(ROOT) else write_to}")
    return lines


def translate() -> None:
    """In a fresh clone: two processes translate the files of tests, before the run that collects them alone."""
    cold = [str(path) for path in sorted((ROOT / "tests").rglob("test_*.py")) if not _is_translated(path)]
    if sys.dont_write_bytecode or len(cold) < FEW:
        return
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-n", "0"]
    halves = [
        subprocess.Popen([*command, *half], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for half in (cold[::2], cold[1::2])
    ]
    # What is wrong with a file is said by the run itself.
    for half in halves:
        half.wait()


def _is_translated(path: Path) -> bool:
    made = (path.parent / "__pycache__").glob(f"{path.stem}.{sys.implementation.cache_tag}-pytest-*.pyc")
    return any(one.stat().st_mtime >= path.stat().st_mtime for one in made)


def main(arguments: list[str]) -> int:
    began = time.monotonic()
    stop_as_with_ctrl_c()
    whole = not arguments
    if whole:
        translate()
    with tempfile.TemporaryDirectory() as folder:
        with nursery_house(Path(folder), wanted=whole) as environment:
            runs: list[Run] = []
            try:
                for database in DATABASES:
                    runs.append(begin(database, arguments, Path(folder), environment))
                wait_for_all(runs)
            except BaseException:
                stop(runs)
                raise
            outcomes = [end(run) for run in runs]
        print("\n".join(["", *tables(runs), ""]))
        for run in runs:
            for line in failures(run.report):
                print(f"FAILED on {run.database}: {line}")
        if whole:
            print("\n".join([*coverage(runs, ONE_SIDED), ""]))
    for outcome in outcomes:
        print(outcome.line())
    counts = f"{sum(o.passed for o in outcomes)} passed, {sum(o.failed for o in outcomes)} failed"
    print(f"total: {counts} in {time.monotonic() - began:.0f} s")
    first, *others = outcomes
    return 0 if first.good and all(outcome.good or outcome.nothing_again for outcome in others) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
