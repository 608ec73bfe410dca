"""The browser of the tests: the system's Chromium."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Playwright

# The same engine twice. The first draws pages alone; the other one also runs its own windows, which nobody sees.
PROGRAMS = ("chromium-headless-shell", "chromium")


def launch(playwright: Playwright) -> Browser:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    assert program, f"none of {PROGRAMS} is on the PATH: `make install-dev` installs it"
    return playwright.chromium.launch(
        executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    )
