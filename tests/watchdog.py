"""A run ends, whatever a test does.

A test that takes too long is stopped by pytest-timeout, with an exception where it stands. Some cannot be stopped in this
way: an event loop that is closing waits for its threads for ever, and so may whatever clears up after the test. Their
process is ended from outside of Python, after it has said where each of its threads stood, and before that, what each task
of its event loops waited for; the run counts the test as failed and goes on with another worker.
"""

from __future__ import annotations

import asyncio
import faulthandler
import os
import threading
from collections.abc import Iterator
from typing import Any

import pytest

# To clear up after a test that ran out of time.
GRACE_S = 60.0


class Watchdog:
    """A pytest plugin. Pytest uses the same clock, and stops it whenever a test fails: then it is set again."""

    def __init__(self, grace_s: float) -> None:
        self._grace_s = grace_s
        self._within_s: float | None = None
        # While a test runs, what it says goes elsewhere.
        self._errors = os.dup(2)
        self._ended = threading.Event()

    @pytest.hookimpl(tryfirst=True)
    def pytest_timeout_set_timer(self, item: pytest.Item, settings: Any) -> None:
        self._within_s = settings.timeout + self._grace_s
        self._begin()

    @pytest.hookimpl(trylast=True)
    def pytest_exception_interact(self) -> None:
        self._begin()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        try:
            return (yield)
        finally:
            self._within_s = None
            self._ended.set()
            faulthandler.cancel_dump_traceback_later()

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Threads that a test has left must not keep the run from ending. Workers are ended by who started them."""
        if not hasattr(config, "workerinput"):
            faulthandler.dump_traceback_later(self._grace_s, file=self._errors, exit=True)

    def _begin(self) -> None:
        if self._within_s is not None:
            faulthandler.dump_traceback_later(self._within_s, file=self._errors, exit=True)
            self._ended.set()
            self._ended = threading.Event()
            # Halfway through the time that is left for clearing up.
            late = (self._within_s - self._grace_s / 2, self._ended)
            threading.Thread(target=self._tell_tasks, args=late, name="watchdog", daemon=True).start()

    def _tell_tasks(self, after_s: float, ended: threading.Event) -> None:
        if ended.wait(after_s):
            return
        # A loop that stands still changes none of them meanwhile.
        for task in list(asyncio.tasks._all_tasks):  # type: ignore[attr-defined]
            if not task.done():
                lines = [f"{task.get_name()} ({task.cancelling()} times cancelled):", *_waits_for(task.get_coro())]
                os.write(self._errors, ("\n    ".join(lines) + "\n").encode())


def _waits_for(coroutine: Any) -> Iterator[str]:
    """Where a coroutine stands, and the one that it waits for, and so on; at the end, what that one waits for."""
    while (frame := getattr(coroutine, "cr_frame", None) or getattr(coroutine, "ag_frame", None)) is not None:
        yield f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_qualname}"
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "ag_await", None)
    yield repr(coroutine)
