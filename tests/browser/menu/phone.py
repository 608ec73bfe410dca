"""What a guest does with the page on a phone, and what the phone keeps."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect


def item(page: Page, name: str) -> Locator:
    return page.locator(".item", has=page.get_by_role("link", name=name, exact=True))


def id_of(page: Page, name: str) -> str:
    found = item(page, name).get_attribute("data-id")
    assert found
    return found


def add(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Add {name}", exact=True).click()


def open_cart(page: Page) -> Locator:
    page.get_by_role("button", name="See cart").click()
    sheet = page.get_by_role("dialog", name="Your cart")
    expect(sheet).to_be_visible()
    return sheet


def saved(page: Page) -> Locator:
    """The cart, once the server has it."""
    sheet = open_cart(page)
    expect(sheet.get_by_text("Saved, with today's prices")).to_be_visible()
    return sheet


def kept(page: Page) -> dict[str, Any]:
    """The cart as the phone keeps it."""
    stored = page.evaluate("Object.entries(localStorage).find(([name]) => name.startsWith('tablegram-cart'))[1]")
    return dict(json.loads(stored))
