"""Several workers for one run: they are forked off a process that has collected every test already.

To load and collect the suite takes longer than most of its files, and each worker that is started from nothing does it
again. Here it is done once. A worker is given a file's tests, in their order, and asks for the next file while it runs the
last of them, so that it keeps what both of them use; who has a browser open stays with the files that need one. A worker that dies fails the test that it ran; another one takes the rest.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

import pytest
from _pytest.junitxml import xml_key

from tests.databases import TEMPLATES
from tests.orphans import follow_parent

# So often somebody looks whether a worker has died whose children still hold its line.
LOOK_S = 1.0
# For workers that are told to stop, until they are killed.
STOP_WITHIN_S = 60.0
Numbers = list[int]


@dataclass
class Worker:
    """One of the forked processes, as the one that has forked it sees it."""

    pid: int
    line: Connection
    # Whether it has a browser open.
    browses: bool
    # What it was given and has not done yet, by its place in the run.
    left: Numbers = field(default_factory=list)
    running: int | None = None


class Crew:
    """A pytest plugin. Everything but the running of tests stays with the process that collects."""

    def __init__(self, workers: int, seats: int | None) -> None:
        self._wanted = workers
        # Whoever writes to this pipe gives room for as many more workers as there are bytes.
        self._seats = seats
        self._workers: dict[Connection, Worker] = {}
        self._files: deque[Numbers] = deque()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        wrong = session.testsfailed and not session.config.option.continue_on_collection_errors
        if wrong or session.config.option.collectonly or not session.items:
            return None
        stopwatch: Any = session.config.pluginmanager.get_plugin("stopwatch")
        stopwatch.has_collected()
        if len(threading.enumerate()) > 1:
            raise RuntimeError(
                f"a file has started a thread when it was imported, which a fork loses: {threading.enumerate()}"
            )
        numbers = range(len(session.items))
        self._files.extend(list(file) for _, file in groupby(numbers, lambda number: session.items[number].path))
        # A run within a run copies what that has made.
        shared = os.environ.get(TEMPLATES)
        templates = shared or tempfile.mkdtemp(prefix="templates-")
        os.environ[TEMPLATES] = templates
        try:
            while self._hire(session):
                self._listen(session)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
                if session.shouldstop:
                    raise session.Interrupted(session.shouldstop)
        finally:
            self._dismiss()
            if shared is None:
                shutil.rmtree(templates, ignore_errors=True)
        return True

    def _hire(self, session: pytest.Session) -> bool:
        while len(self._workers) < self._wanted and self._files:
            self._fork(session, self._files.popleft())
        return bool(self._workers)

    def _fork(self, session: pytest.Session, file: Numbers) -> None:
        ours, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            for line in (ours, *self._workers):
                line.close()
            _be_a_worker(session, theirs, parent, file)
        theirs.close()
        self._workers[ours] = Worker(pid, ours, _needs_browser(session, file), left=[*file])

    def _listen(self, session: pytest.Session) -> None:
        ears: list[Any] = [*self._workers, *([] if self._seats is None else [self._seats])]
        for heard in wait(ears, LOOK_S):
            if heard == self._seats:
                self._make_room()
                continue
            worker = self._workers[heard]  # type: ignore[index]
            try:
                word, said = worker.line.recv()
            except (EOFError, ConnectionError):
                self._bury(session, worker)
            else:
                self._hear(session, worker, word, said)
        for worker in [*self._workers.values()]:
            # What it said at last is heard first.
            if _has_ended(worker.pid) and not worker.line.poll():
                self._bury(session, worker)

    def _make_room(self) -> None:
        assert self._seats is not None
        free = os.read(self._seats, 64)
        self._wanted += len(free)
        if not free:
            self._seats = None

    def _hear(self, session: pytest.Session, worker: Worker, word: str, said: Any) -> None:
        config = session.config
        if word == "more":
            file = self._next_file(session, worker)
            worker.left += file
            with contextlib.suppress(OSError):
                worker.line.send(file)
        elif word == "runs":
            worker.running = said
        elif word == "report":
            report = config.hook.pytest_report_from_serializable(config=config, data=said)
            config.hook.pytest_runtest_logreport(report=report)
        elif word == "ran":
            worker.left.remove(said)
            worker.running = None
        elif word == "stop":
            session.shouldstop = said
        elif word == "spent":
            stopwatch: Any = config.pluginmanager.get_plugin("stopwatch")
            stopwatch.hear(said)

    def _next_file(self, session: pytest.Session, worker: Worker) -> Numbers:
        """The longest that is left. Who has a browser open takes those that need one first: to start another takes a second."""
        alike = (file for file in self._files if _needs_browser(session, file) == worker.browses)
        file = next(alike, None) or (self._files[0] if self._files else [])
        if file:
            self._files.remove(file)
            worker.browses = _needs_browser(session, file)
        return file

    def _bury(self, session: pytest.Session, worker: Worker) -> None:
        """It has ended: with its work, or in the middle of it."""
        del self._workers[worker.line]
        worker.line.close()
        while not _has_ended(worker.pid):
            time.sleep(0.01)
        if not worker.left:
            return
        if worker.running is None:
            raise RuntimeError(f"a worker ended before it ran {session.items[worker.left[0]].nodeid}")
        item = session.items[worker.running]
        worker.left.remove(worker.running)
        for _, file in groupby(reversed(worker.left), lambda number: session.items[number].path):
            self._files.appendleft([*file][::-1])
        why = f"a worker crashed while running {item.nodeid!r}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")
        session.config.hook.pytest_runtest_logreport(report=report)

    def _dismiss(self) -> None:
        for worker in self._workers.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGTERM)
        deadline = time.monotonic() + STOP_WITHIN_S
        for worker in self._workers.values():
            # Nobody listens any more, and nobody must wait for that.
            worker.line.close()
            while not _has_ended(worker.pid):
                if time.monotonic() > deadline:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker.pid, signal.SIGKILL)
                time.sleep(0.05)


def _needs_browser(session: pytest.Session, file: Numbers) -> bool:
    return session.items[file[0]].get_closest_marker("browser") is not None


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] != 0
    except ChildProcessError:
        return True


class Mate:
    """A pytest plugin, in a worker: tells the one that has forked it what comes of a test."""

    def __init__(self, config: pytest.Config, tell: Callable[[tuple[str, Any]], None]) -> None:
        self._config = config
        self._tell = tell

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._tell(("report", data))


class _Silence:
    """In the place of who shows what happens; a test that takes too long is still told from here."""

    def __init__(self, shown_by: Any) -> None:
        self._tw = shown_by._tw


def _be_a_worker(session: pytest.Session, line: Connection, parent: int, file: Numbers) -> NoReturn:
    """Never returns. What the parent wanted to do at its own end is not this process's business."""
    atexit._clear()
    code = 1
    try:
        # Ctrl-C reaches all of them; the parent tells its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        follow_parent(signal.SIGTERM, parent)
        _settle(session, line)
        try:
            _work(session, line, file)
        except KeyboardInterrupt:
            pass
        except pytest.exit.Exception as end:
            line.send(("stop", str(end)))
        finally:
            session._setupstate.teardown_exact(None)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _settle(session: pytest.Session, line: Connection) -> None:
    """Own files, and nobody who writes to those of the run."""
    plugins, config = session.config.pluginmanager, session.config
    shown_by = plugins.get_plugin("terminalreporter")
    plugins.unregister(name="terminalreporter")
    plugins.register(_Silence(shown_by), "terminalreporter")
    report = config.stash.get(xml_key, None)
    if report is not None:
        plugins.unregister(report)
    plugins.register(Mate(config, line.send), "mate")
    stopwatch: Any = plugins.get_plugin("stopwatch")
    stopwatch.begin_again()
    captured: Any = plugins.get_plugin("capturemanager")
    captured = captured._global_capturing
    for one in (captured.out, captured.err) if captured is not None else ():
        # The same object, which a module may have kept when it was imported, with a file of its own behind it. With `-s`, and
        # where nothing but Python's own words are captured, there is none.
        with contextlib.suppress(OSError, AttributeError), tempfile.TemporaryFile(buffering=0) as own:
            os.dup2(own.fileno(), one.tmpfile.fileno(), inheritable=False)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = tempfile.mkdtemp(prefix="worker-")


def _work(session: pytest.Session, line: Connection, file: Numbers) -> None:
    tests = _given(line, file)
    number = next(tests, None)
    while number is not None:
        following = next(tests, None)
        item = session.items[number]
        line.send(("runs", number))
        session.config.hook.pytest_runtest_protocol(
            item=item, nextitem=None if following is None else session.items[following]
        )
        line.send(("ran", number))
        number = following
    stopwatch: Any = session.config.pluginmanager.get_plugin("stopwatch")
    line.send(("spent", stopwatch.told()))


def _given(line: Connection, file: Numbers) -> Iterator[int]:
    """The tests that this worker is given. Who asks for the one after the last of a file asks for the next file."""
    while file:
        yield from file
        line.send(("more", None))
        file = line.recv()
