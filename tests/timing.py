"""Where the time of a run goes: for each folder of the suite, how long its tests took and what they computed.

Waiting costs the clock, computing costs the processors; a run is made shorter differently for each of them. What the
processes compute that a test starts (the product, a browser, a database server) counts as the test's own.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
COLLECTING = "(loading and collecting)"
_TICKS = os.sysconf("SC_CLK_TCK")
# Servers that do not stay our children.
_roots: list[int] = []
# At the last look: what could be seen, and what had gone with processes that nobody waited for.
_seen_s = 0.0
_gone_s = 0.0


@dataclass(slots=True)
class Spent:
    """What one folder took."""

    tests: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def add(self, other: Spent) -> None:
        self.tests += other.tests
        self.wall_s += other.wall_s
        self.cpu_s += other.cpu_s


Table = dict[str, Spent]


def count_as_ours(pid: int) -> None:
    """From now on this process and its children are part of what the tests compute."""
    _roots.append(pid)


def computed_s() -> float:
    """Processor seconds of this process, of those it started, and of theirs, living or ended.

    Those that nobody waits for (a browser's, when it is told to go) take their seconds with them. What was seen at the last
    look still counts: whoever ends such a process looks first.
    """
    global _seen_s, _gone_s
    seen_s = _visible_s()
    _gone_s += max(0.0, _seen_s - seen_s)
    _seen_s = seen_s
    return _seen_s + _gone_s


def _visible_s() -> float:
    parents: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for entry in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not entry.isdigit():
            continue
        try:
            # The name, which may hold anything, ends with the last bracket.
            fields = Path("/proc", entry, "stat").read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry))
        # Its own time, and that of the children it has waited for.
        ticks[int(entry)] = sum(int(field) for field in fields[11:15])
    waiting, total = [os.getpid(), *_roots], 0
    while waiting:
        pid = waiting.pop()
        total += ticks.get(pid, 0)
        waiting += parents.get(pid, [])
    return total / _TICKS


def folder_of(path: Path) -> str:
    """`api`, `restaurant/flows`: two levels are enough to know where to look."""
    inside = path.relative_to(TESTS).parent.parts if path.is_relative_to(TESTS) else ()
    return "/".join(inside[:2]) or "."


class Stopwatch:
    """A pytest plugin. Workers send what they measured to the process that started them, which shows it."""

    def __init__(self, write_to: Path | None) -> None:
        self._write_to = write_to
        self._table: Table = {}
        self._began = time.monotonic()
        self._computed_s: float | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        self.has_collected()
        assert self._computed_s is not None
        folder, began = folder_of(item.path), time.monotonic()
        result = yield
        self._spend(folder, Spent(1, time.monotonic() - began))
        # To look at every process takes some milliseconds: once for the tests of a file.
        if nextitem is None or nextitem.path != item.path:
            computed = computed_s()
            self._spend(folder, Spent(cpu_s=computed - self._computed_s))
            self._computed_s = computed
        return result

    def has_collected(self) -> None:
        """What was done until here was not done for one of the tests."""
        if self._computed_s is None:
            self._computed_s = computed_s()
            self._spend(COLLECTING, Spent(0, time.monotonic() - self._began, self._computed_s))

    def begin_again(self) -> None:
        """In a process that was forked off the one that has collected."""
        self._table, self._computed_s = {}, computed_s()

    def told(self) -> dict[str, dict[str, Any]]:
        return {folder: asdict(spent) for folder, spent in self._table.items()}

    def hear(self, told: dict[str, dict[str, Any]]) -> None:
        """What another process has measured."""
        for folder, spent in told.items():
            self._spend(folder, Spent(**spent))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        sent: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if sent is not None:
            sent["spent"] = self.told()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.hear(getattr(node, "workeroutput", {}).get("spent", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._write_to is not None:
            self._write_to.write_text(json.dumps(self.told()))
        elif len(self._table) > 2:
            terminalreporter.section("where the time went")
            terminalreporter.write_line("\n".join(lines(self._table)))

    def _spend(self, folder: str, spent: Spent) -> None:
        self._table.setdefault(folder, Spent()).add(spent)


def lines(table: Table) -> list[str]:
    """The table as text, what took longest first."""
    total = Spent()
    for spent in table.values():
        total.add(spent)
    rows = [*sorted(table.items(), key=lambda row: -row[1].wall_s), ("together", total)]
    head = f"{'folder':<26}{'tests':>7}{'seconds':>9}{'of them computing':>19}"
    return [head, *(f"{name:<26}{it.tests:>7}{it.wall_s:>9.1f}{it.cpu_s:>19.1f}" for name, it in rows)]
