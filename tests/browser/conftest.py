"""How long a page may take: so long that only what never happens fails, also where two cores are busy with more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import close_browser, leaving_nobody_behind
from tests.browser.panel import judging

expect.set_options(timeout=30_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    judging.begin(item)


@pytest.fixture(scope="package", autouse=True)
def _one_browser() -> Iterator[None]:
    """For all tests of this folder that a process runs one after another."""
    yield
    close_browser()


@pytest.fixture(autouse=True)
def _nobody_stays() -> Iterator[None]:
    """Whoever a test lets in goes with it. Who was there before stays: a fixture of the module let them in."""
    with leaving_nobody_behind():
        yield
