"""Forks that try a change each, several at a time, and one that seems never to end once more, alone."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.mutants.changes import Change

# A test that takes longer than this, and so many times what it took, never ends.
LEAST_S, PATIENCE = 30.0, 20
# So many times as long alone: where others take the processors, what is slow looks like what never ends.
ALONE = 5.0
LOOK_S = 0.02


@dataclass
class _Try:
    change: Change
    # Writes what came of it into a file, and beside that which test it begins.
    work: Callable[[Path], None]
    answer: Path
    times: float = 1.0
    seen: str = ""
    since: float = field(default_factory=time.monotonic)


class Tries:
    """Tells of each change what was said of it: `tell(change, said, file)`."""

    def __init__(
        self,
        jobs: int,
        took: Mapping[int, float],
        tell: Callable[[Change, str, Path], None],
        *,
        least_s: float = LEAST_S,
        alone: float = ALONE,
    ) -> None:
        self._jobs = jobs
        self._took = took
        self._tell = tell
        self._least_s = least_s
        self._alone = alone
        self._running: dict[int, _Try] = {}
        self._slow: list[_Try] = []

    def begin(self, change: Change, work: Callable[[Path], None], folder: Path) -> None:
        """Waits until there is room for it."""
        while len(self._running) >= self._jobs:
            self._reap()
        self._fork(_Try(change, work, folder / f"{change.name}.answer"))

    def finish(self) -> None:
        while self._running:
            self._reap()
        for slow in self._slow:
            self._fork(_Try(slow.change, slow.work, slow.answer.with_suffix(".alone"), self._alone))
            while self._running:
                self._reap()

    def _fork(self, one: _Try) -> None:
        self._running[forked(lambda: one.work(one.answer))] = one

    def _reap(self) -> None:
        time.sleep(LOOK_S)
        for pid, one in [*self._running.items()]:
            ended = os.waitpid(pid, os.WNOHANG)[0] != 0
            if not ended and not self._stands_still(one):
                continue
            if not ended:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            del self._running[pid]
            # What was said counts, also of one who cannot put away its things any more.
            if one.answer.exists():
                self._tell(one.change, one.answer.read_text(), one.answer)
            elif ended or one.times > 1:
                self._tell(one.change, "died" if ended else "never ended", one.answer)
            else:
                self._slow.append(one)

    def _stands_still(self, one: _Try) -> bool:
        at = begun(one.answer)
        said = at.read_text() if at.exists() else ""
        if said != one.seen:
            one.seen, one.since = said, time.monotonic()
        allowed = self._least_s + PATIENCE * (self._took[int(said)] if said else 0)
        return time.monotonic() - one.since > allowed * one.times


def begun(answer: Path) -> Path:
    """Where a fork says which test it begins."""
    return answer.with_suffix(f"{answer.suffix}.at")


def forked(work: Callable[[], None]) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    atexit._clear()
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            atexit._run_exitfuncs()
            sys.stdout.flush()
        os._exit(code)
