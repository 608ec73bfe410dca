"""Processes that start at once: they are forked off one that has loaded the program already.

What runs, and what is killed, is a process of its own all the same. Loading the program is most of a start, and the
suite starts it hundreds of times. A run with many workers loads it once: `tools/run_tests.py` starts a house, and each worker's
nursery is forked off that.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import json
import os
import selectors
import signal
import socket
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
from tests.shaking import shake_as_asked
from tests.statements import KINDS, prepare_statements, record_statements
from tests.templates import keep_translations
from tests.timing import count_as_ours

ROOT = Path(__file__).parent.parent
# Loading the program is a few seconds of a processor, which many workers ask for at the same moment. A limit for what
# never happens.
BORN_WITHIN_S = 100.0
# Where the house of this run listens, in the environment of its workers.
HOUSE = "SUITE_NURSERY_SOCKET"


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
        ours, theirs = socket.socketpair()
        environment = _environment()
        self._process: subprocess.Popen[bytes] | None = None
        house = _visit()
        if house is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.nursery"], cwd=ROOT, env=environment, stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        else:
            ours.close()
            ours = house
        theirs.close()
        self._line = ours
        # What the one that is forked off a house needs to know of us; the other has it already.
        self._say({"environment": environment})
        self._children: dict[int, Child] = {}
        self._numbers = count()
        self._lock = threading.Lock()
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], out: Path, errors: Path | None = None
    ) -> Child:
        """Run the program with these arguments; what it says is added to the files."""
        child = Child()
        order = {"arguments": list(arguments), "environment": dict(environment), "out": str(out)}
        with self._lock:
            number = next(self._numbers)
            self._children[number] = child
            self._say({**order, "number": number, "errors": str(errors or out)})
        child.wait_for_its_birth()
        return child

    def _say(self, word: dict[str, Any]) -> None:
        self._line.sendall(json.dumps(word).encode() + b"\n")

    def _listen(self) -> None:
        with self._line.makefile("rb") as heard:
            for line in heard:
                word = json.loads(line)
                if "nursery" not in word:
                    self._children[word["number"]].hear(word)
                elif self._process is None:
                    # One that is forked off a house is no child of ours.
                    count_as_ours(word["nursery"])

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_WR)
        # It ends when it hears no more.
        self._listening.join(10)
        self._line.close()
        if self._process is not None:
            self._process.wait(10)


def _environment() -> dict[str, str]:
    """Whoever looks at the program's settings while it loads must not see those of a test."""
    return {name: value for name, value in os.environ.items() if not name.startswith("TABLEGRAM_")}


def _visit() -> socket.socket | None:
    """A line to the house of this run, where there is one."""
    address = os.environ.get(HOUSE)
    if not address:
        return None
    line = socket.socket(socket.AF_UNIX)
    try:
        line.connect(address)
    except OSError:
        line.close()
        return None
    return line


@cache
def nursery() -> Nursery:
    """The one that everybody in this process shares."""
    opened = Nursery()
    atexit.register(opened.close)
    return opened


def keep_house(address: str) -> None:
    """The process that loads the program once for a run, and is forked for each worker that comes."""
    follow_parent(signal.SIGKILL, os.getppid())
    # Nobody waits for those who have gone.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen(64)
        main = _load_all(prepared=KINDS)
        while True:
            line, _ = door.accept()
            if os.fork() == 0:
                try:
                    door.close()
                    os.setsid()
                    tend(line, main)
                except BaseException:
                    traceback.print_exc()
                finally:
                    os._exit(0)
            line.close()


def _load_all(prepared: Sequence[str] = ()) -> Any:
    """The program, and what it builds once in a process. Gives its entrance.

    To prepare a statement for a database takes as long as to run it a thousand times; to prepare all of them is worth it for
    many processes.
    """
    gc.disable()
    from tablegram.__main__ import main
    from tablegram.api import framework as api
    from tablegram.cli.catalogue import PLACES, load
    from tablegram.panel import framework as panel
    from tablegram.sandbox import app as sandbox
    from tablegram.storage.revision import newest
    from tests.opened_product import HANDLERS, PAGES

    # Loaded and built once in a process, and here for all.
    for name in PLACES:
        load(name)
    api.framework(HANDLERS)
    api.route_table(HANDLERS, {})
    panel.framework(PAGES)
    sandbox.framework()
    newest()
    for kind in prepared:
        prepare_statements(kind)
    gc.collect()
    gc.freeze()
    gc.enable()
    return main


def tend(line: socket.socket, main: Any) -> None:
    """The nursery's own process: a line with an order in; a line with the pid, and one with the exit code, out."""
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    alive: dict[int, int] = {}
    orders = b""
    _answer(line, {"nursery": os.getpid()})
    with selectors.DefaultSelector() as ears:
        ears.register(line, selectors.EVENT_READ)
        ears.register(woken, selectors.EVENT_READ)
        while True:
            heard = {key.fd for key, _ in ears.select()}
            if woken in heard:
                os.read(woken, 4_096)
                _bury(line, alive)
            if line.fileno() in heard:
                data = line.recv(1 << 20)
                if not data:
                    return
                *words, orders = (orders + data).split(b"\n")
                for word in map(json.loads, words):
                    if "number" in word:
                        _bear(line, word, main, alive)
                    else:
                        _belong(word["environment"])


def _belong(environment: dict[str, str]) -> None:
    """Be a nursery of who has this environment: the tests of one worker."""
    os.environ.clear()
    os.environ.update(environment)
    record_statements()
    keep_translations()
    hash_as_told()
    shake_as_asked()


def _bear(line: socket.socket, order: dict[str, Any], main: Any, alive: dict[int, int]) -> None:
    nursery_pid = os.getpid()
    pid = os.fork()
    if pid == 0:
        follow_parent(signal.SIGKILL, nursery_pid)
        line.close()
        _become(order)
        _end_with(main, order["arguments"])
    alive[pid] = order["number"]
    _answer(line, {"number": order["number"], "pid": pid})


def _bury(line: socket.socket, alive: dict[int, int]) -> None:
    while alive:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        _answer(line, {"number": alive.pop(pid), "code": os.waitstatus_to_exitcode(status)})


def _answer(line: socket.socket, word: dict[str, int]) -> None:
    # Who asked may have gone; that is heard with the next look.
    with contextlib.suppress(OSError):
        line.sendall(json.dumps(word).encode() + b"\n")


def _become(order: dict[str, Any]) -> None:
    import secrets

    from tablegram.values import ids

    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    given = order.get("input", os.devnull)
    with open(order["out"], "ab") as out, open(order["errors"], "ab") as errors, open(given, "rb") as read:
        os.dup2(read.fileno(), 0)
        os.dup2(out.fileno(), 1)
        os.dup2(errors.fileno(), 2)
    os.chdir(order.get("folder", "."))
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
    if len(sys.argv) > 1:
        keep_house(sys.argv[1])
    else:
        tend(socket.socket(fileno=os.dup(0)), _load_all())
