"""The browser of the tests: when it has ended, the tests that come after have another one."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Error

from tests.browser.chromium import browsing


def steering() -> int:
    """The program between this process and its browser."""
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            if b"run-driver" in Path("/proc", child, "cmdline").read_bytes():
                return int(child)
    raise AssertionError("nothing steers a browser")


# What it was told and could not answer is said once more when it is forgotten.
@pytest.mark.filterwarnings("ignore")
def test_whoever_comes_after_a_browser_that_ended_has_another_one() -> None:
    with pytest.raises(Error), browsing() as browser:
        page = browser.new_page()
        os.kill(steering(), signal.SIGKILL)
        page.wait_for_timeout(60_000)
    with browsing() as another:
        page = another.new_page()
        page.set_content("<p>here</p>")
        assert page.inner_text("p") == "here"
