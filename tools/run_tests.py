"""Run the suite once for each database, and end with a line for each and a total.

Arguments are handed on to pytest. The exit status is 0 only when every run passed and every run ran something.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parent.parent
DATABASES = ("sqlite", "postgresql")
# Most tests wait for a process or a clock. A file's tests stay together, in their order; the longest files begin.
PARALLEL = ("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder")
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


def run(database: str, arguments: list[str]) -> Outcome:
    """One run, its output shown as it comes. What no database can change is run with the first one only."""
    started = time.monotonic()
    if database != DATABASES[0]:
        arguments = ["--again", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "--db", database, f"--junitxml={report}", *PARALLEL, *arguments]
        status = subprocess.run(command, cwd=ROOT, check=False).returncode
        passed, failed, skipped = count(report)
    return Outcome(database, passed, failed, skipped, time.monotonic() - started, status)


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


def main() -> int:
    outcomes = []
    for database in DATABASES:
        print(f"== {database}: the suite begins", flush=True)
        outcomes.append(run(database, sys.argv[1:]))
    print()
    for outcome in outcomes:
        print(outcome.line())
    print(f"total: {sum(o.passed for o in outcomes)} passed, {sum(o.failed for o in outcomes)} failed")
    first, *others = outcomes
    return 0 if first.good and all(outcome.good or outcome.nothing_again for outcome in others) else 1


if __name__ == "__main__":
    sys.exit(main())
