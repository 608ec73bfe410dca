"""Processes that start at once: they are forked off one that has loaded the program already.

What runs, and what is killed, is a process of its own all the same. Loading the program is most of a start, and the
suite starts it hundreds of times.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from tests.hashing import hash_as_told
from tests.orphans import follow_parent
from tests.statements import record_statements
from tests.templates import keep_translations

ROOT = Path(__file__).parent.parent
# Loading the program is a few seconds of a processor, which many workers ask for at the same moment. A limit for what
# never happens.
BORN_WITHIN_S = 100.0


class Child:
    """A process that the nursery has started, with what is used of `subprocess.Popen`."""

    def __init__(self) -> None:
        self.pid = 0
        self.returncode: int | None = None
        self._begun = threading.Event()
        self._ended = threading.Event()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("a forked process", timeout or 0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def wait_for_its_birth(self) -> None:
        assert self._begun.wait(BORN_WITHIN_S), "the nursery does not answer"

    def hear(self, word: dict[str, int]) -> None:
        if "pid" in word:
            self.pid = word["pid"]
            self._begun.set()
        else:
            self.returncode = word["code"]
            self._ended.set()


class Nursery:
    """Starts any number of children; it ends with whoever made it, and they end with it."""

    def __init__(self) -> None:
        # Whoever looks at the program's settings while it loads must not see those of a test.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.nursery"], cwd=ROOT, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._children: dict[int, Child] = {}
        self._numbers = count()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], out: Path, errors: Path | None = None
    ) -> Child:
        """Run the program with these arguments; what it says is added to the files."""
        assert self._process.stdin is not None
        child = Child()
        order = {"arguments": list(arguments), "environment": dict(environment), "out": str(out)}
        with self._lock:
            number = next(self._numbers)
            self._children[number] = child
            self._process.stdin.write(json.dumps({**order, "number": number, "errors": str(errors or out)}) + "\n")
            self._process.stdin.flush()
        child.wait_for_its_birth()
        return child

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word = json.loads(line)
            self._children[word["number"]].hear(word)

    def close(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._process.wait(10)


@cache
def nursery() -> Nursery:
    """The one that everybody in this process shares."""
    opened = Nursery()
    atexit.register(opened.close)
    return opened


def tend() -> None:
    """The nursery's own process: a line with an order in; a line with the pid, and one with the exit code, out."""
    gc.disable()
    from tablegram.__main__ import main
    from tablegram.api import app as api
    from tablegram.cli.catalogue import PLACES, load
    from tablegram.panel import app as panel
    from tablegram.sandbox import app as sandbox
    from tablegram.storage.migrate import newest
    from tests.opened_product import HANDLERS, PAGES

    record_statements()
    keep_translations()
    hash_as_told()
    # Loaded and built once in a process, and here for all.
    for name in PLACES:
        load(name)
    api.framework(HANDLERS)
    api.route_table(HANDLERS, {})
    panel.framework(PAGES)
    sandbox.framework()
    newest()
    gc.collect()
    gc.freeze()
    gc.enable()
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    alive: dict[int, int] = {}
    orders = b""
    with selectors.DefaultSelector() as ears:
        ears.register(0, selectors.EVENT_READ)
        ears.register(woken, selectors.EVENT_READ)
        while True:
            heard = {key.fd for key, _ in ears.select()}
            if woken in heard:
                os.read(woken, 4_096)
                _bury(alive)
            if 0 in heard:
                data = os.read(0, 1 << 20)
                if not data:
                    return
                *lines, orders = (orders + data).split(b"\n")
                for line in lines:
                    _bear(json.loads(line), main, alive)


def _bear(order: dict[str, Any], main: Any, alive: dict[int, int]) -> None:
    nursery_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        follow_parent(signal.SIGKILL, nursery_pid)
        _become(order)
        _end_with(main, order["arguments"])
    alive[pid] = order["number"]
    _answer({"number": order["number"], "pid": pid})


def _bury(alive: dict[int, int]) -> None:
    while alive:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        _answer({"number": alive.pop(pid), "code": os.waitstatus_to_exitcode(status)})


def _answer(word: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(word) + "\n")
    sys.stdout.flush()


def _become(order: dict[str, Any]) -> None:
    import secrets

    from tablegram.values import ids

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    with open(order["out"], "ab") as out, open(order["errors"], "ab") as errors, open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(errors.fileno(), 2)
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
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    tend()
