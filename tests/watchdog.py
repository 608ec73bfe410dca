"""A run ends, whatever a test does.

A test that takes too long is stopped by pytest-timeout, with an exception where it stands. Some cannot be stopped in this
way: an event loop that is closing waits for its threads for ever, and so may whatever clears up after the test. Their
process is ended from outside of Python, after it has said where each of its threads stood; the run counts the test as
failed and goes on with another worker.
"""

from __future__ import annotations

import faulthandler
import os
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
            faulthandler.cancel_dump_traceback_later()

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Threads that a test has left must not keep the run from ending. Workers are ended by who started them."""
        if not hasattr(config, "workerinput"):
            faulthandler.dump_traceback_later(self._grace_s, file=self._errors, exit=True)

    def _begin(self) -> None:
        if self._within_s is not None:
            faulthandler.dump_traceback_later(self._within_s, file=self._errors, exit=True)
