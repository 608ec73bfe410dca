"""The browser of the tests: the system's Chromium, one for all the tests of a process that need one.

To start it and the program that steers it takes longer than most tests; a person in it is a context, which shares nothing
with another one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Browser, Playwright, sync_playwright

# The same engine twice. The first draws pages alone; the other one also runs its own windows, which nobody sees.
PROGRAMS = ("chromium-headless-shell", "chromium")

_opened = ExitStack()
_browsers: list[Browser] = []


def launch(playwright: Playwright) -> Browser:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, f"none of {PROGRAMS} is on the PATH: `make install-dev` installs it"
    return playwright.chromium.launch(
        executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    )


@contextmanager
def browsing() -> Iterator[Browser]:
    """The browser of this process, started when it is needed; whoever comes in while it is asked for goes with it."""
    if not _browsers or not _browsers[0].is_connected():
        close_browser()
        _browsers.append(launch(_opened.enter_context(sync_playwright())))
        _opened.callback(_browsers[0].close)
    with leaving_nobody_behind():
        yield _browsers[0]


@contextmanager
def leaving_nobody_behind() -> Iterator[None]:
    """Pages that stay open go on listening and drawing, and slow down whatever comes after them."""
    before = {context for browser in _browsers for context in browser.contexts}
    try:
        yield
    finally:
        for context in {context for browser in _browsers for context in browser.contexts} - before:
            context.close()


def close_browser() -> None:
    """Its event loop stands in the way of tests that have one of their own."""
    _browsers.clear()
    _opened.close()
