"""Servers that start at once: they are forked off a process that has loaded the program already.

What is killed is a process of its own all the same. A thousand kills would otherwise be a thousand times the loading
of the program, which is most of a start.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parent.parent


class Child:
    """A process that the nursery has started, with what is used of `subprocess.Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = threading.Event()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("a forked server", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def hear_of_its_end(self, answers: IO[str]) -> None:
        line = answers.readline()
        self.returncode = int(line) if line else -1
        self._ended.set()


class Nursery:
    """One child at a time. `close` when none is alive any more."""

    def __init__(self) -> None:
        # Whoever looks at the program's settings while it loads must not see those of the test.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.nursery"], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._listener: threading.Thread | None = None

    def start(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> Child:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if self._listener is not None:
            self._listener.join()
        order = {"arguments": list(arguments), "environment": dict(environment), "log": str(log)}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        child = Child(int(self._process.stdout.readline()))
        self._listener = threading.Thread(target=child.hear_of_its_end, args=(self._process.stdout,), daemon=True)
        self._listener.start()
        return child

    def close(self) -> None:
        if self._listener is not None:
            self._listener.join(5)
        self._process.communicate(timeout=10)


def tend() -> None:
    """The nursery's own process: a line with an order in, a line with the pid and one with the exit code out."""
    from litestar import Litestar

    from tablegram.__main__ import main

    # The framework loads half of itself only when it is used for the first time.
    Litestar()
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _become(order)
            _end_with(main, order["arguments"])
        _answer(pid)
        _answer(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _answer(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def _become(order: dict[str, Any]) -> None:
    import secrets

    from tablegram.values import ids

    os.setsid()
    with open(order["log"], "ab") as log, open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    os.environ.clear()
    os.environ.update(order["environment"])
    # Brothers must not have the same luck: their ids would meet.
    ids._chance.seed(secrets.randbits(256))


def _end_with(main: Any, arguments: list[str]) -> None:
    code = 1
    try:
        code = int(main(arguments) or 0)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    tend()
