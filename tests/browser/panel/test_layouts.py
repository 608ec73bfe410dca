"""Layouts of tickets in a real browser: the paper follows what is chosen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import Desk, open_desk
from tests.databases import Databases

pytestmark = [pytest.mark.timeout(240), pytest.mark.looks]


@pytest.fixture(scope="module")
def desk(databases: Databases) -> Iterator[Desk]:
    url = databases.migrated()
    with open_desk(url) as opened:
        yield opened
    databases.drop(url)


def test_the_paper_follows_what_is_chosen_and_what_is_saved_stays(desk: Desk) -> None:
    page = desk.person()
    page.goto("/panel/venue/layouts?of=station:bar")
    paper = page.locator("[data-paper] .paper")
    expect(paper).to_contain_text("ORD-20261116-0042")
    page.get_by_label("Order number", exact=True).uncheck()
    expect(paper).not_to_contain_text("ORD-20261116-0042")
    page.locator("textarea[name=footer]").fill("Enjoy <b>it</b>")
    expect(paper).to_contain_text("Enjoy <b>it</b>")
    page.get_by_label("Language of the paper").select_option("de")
    expect(paper).to_contain_text("Tisch 12")
    # The dishes go above the table, by key as by mouse, and the focus stays where it was.
    up = page.get_by_role("button", name="Move up: Dishes")
    for _ in range(4):
        up.press("Enter")
