"""The browser of the tests: the system's Chromium, one for all the tests of a process that need one.

To start it and the program that steers it takes longer than most tests; a person in it is a context, which shares nothing
with another one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sized
from contextlib import ExitStack, contextmanager, suppress

from playwright.sync_api import Browser, Error, Page, Playwright, sync_playwright

from tests.timing import computed_s

# The same engine twice. The first draws pages alone; the other one also runs its own windows, which nobody sees.
PROGRAMS = ("chromium-headless-shell", "chromium")

# People share nothing but the process that draws their pages: to start one for each of them is a tenth of the work.
FLAGS = [
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--in-process-gpu", "--renderer-process-limit=1",
]  # fmt: skip

_opened = ExitStack()
_browsers: list[Browser] = []


def launch(playwright: Playwright) -> Browser:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, f"none of {PROGRAMS} is on the PATH: `make install-dev` installs it"
    return playwright.chromium.launch(executable_path=program, args=FLAGS)


@contextmanager
def browsing() -> Iterator[Browser]:
    """The browser of this process, started when it is needed; whoever comes in while it is asked for goes with it."""
    if not _browsers or not _answers(_browsers[0]):
        close_browser()
        _browsers.append(launch(_opened.enter_context(sync_playwright())))
        _opened.callback(_browsers[0].close)
    with leaving_nobody_behind():
        yield _browsers[0]


def _answers(browser: Browser) -> bool:
    """Whether it is still there. It does not know by itself that the program that steers it has ended."""
    try:
        browser.new_browser_cdp_session().detach()
    except Error:
        return False
    return True


@contextmanager
def leaving_nobody_behind() -> Iterator[None]:
    """Pages that stay open go on listening and drawing, and slow down whatever comes after them."""
    before = {context for browser in _browsers for context in browser.contexts}
    try:
        yield
    finally:
        for context in {context for browser in _browsers for context in browser.contexts} - before:
            # With a browser that has ended, everybody has gone.
            with suppress(Error):
                context.close()


def given_time(page: Page, held: Sized) -> bool:
    """Whether something is there yet; meanwhile the browser goes on, which waits for us."""
    page.wait_for_timeout(20)
    return bool(held)


def leave(page: Page) -> None:
    """Whoever sits down at this page next finds nothing on it, and nobody has to open another."""
    page.unroute_all(behavior="ignoreErrors")
    if page.url.startswith("http"):
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    # One that stays open goes on listening and drawing.
    page.goto("about:blank")


def close_browser() -> None:
    """Its event loop stands in the way of tests that have one of their own."""
    if _browsers:
        # Nobody waits for the processes that draw: what they have computed is looked at now.
        computed_s()
    _browsers.clear()
    with suppress(Error):
        _opened.close()
