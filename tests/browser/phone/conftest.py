"""A network to practise on for each test, and visitors of its page whose consoles stay clean."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import browsing, leave
from tests.browser.lone_sandbox import LoneSandbox, lone_sandbox
from tests.browser.phone.hall import Hall


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as opened:
        yield opened


@pytest.fixture
def net(tmp_path: Path) -> Iterator[LoneSandbox]:
    with lone_sandbox(tmp_path / "s.db") as running:
        yield running


@pytest.fixture(scope="module")
def hall(browser: Browser) -> Hall:
    made = Hall(browser)
    made.seat = made.sit()
    return made


@pytest.fixture
def visit(hall: Hall, net: LoneSandbox) -> Iterator[Any]:
    """Opens the page as some visitor, and lets no error in its console pass."""
    seats, others = [hall.seat], []
    hall.troubles.clear()

    def open_page(query: str = "", **look: Any) -> Page:
        page = seats.pop() if seats and not look else None
        if page is None:
            page = hall.sit(**look)
            others.append(page.context)
        page.goto(net.page + query)
        expect(page.locator("#live")).to_have_attribute("data-state", "live")
        return page

    yield open_page
    for context in others:
        context.close()
    assert hall.seat is not None
    leave(hall.seat)
    # They know no ports.
    hall.seat.context.clear_cookies()
    assert hall.troubles == []
