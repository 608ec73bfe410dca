"""A station's screen prints by the system's dialog: a ticket opens it by itself, once, and a person says what came of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.panel.diners import Diner
from tests.browser.panel.judging import COLOURS, STRUCTURE, overflow, serious

pytestmark = [pytest.mark.timeout(300), pytest.mark.looks, pytest.mark.judged]

# The dialog cannot be seen by a test; that it was asked for can.
DIALOG = "window.dialogs = 0; window.print = () => { window.dialogs += 1; };"


def test_tickets_come_by_themselves_and_are_told_of(diner: Diner) -> None:
    made = {"name": "Tablet", "kind": "browser", "stations": ["kitchen"], "profile": {"columns": 32}}
    status, printer = diner.desk.product.call("POST", "/restaurant/printers", made)
    assert status == 201, printer
    page = diner.desk.person("kitchen", "Usta", language="tr", width=1024)
    page.add_init_script(DIALOG)
    page.goto(f"/panel/print/{printer['id']}")
    page.wait_for_selector("html[data-live=on]")
    expect(page.get_by_role("status").filter(has_text="Yazdırılacak")).to_be_visible()
    first, second = diner.take(), diner.take()
    paper = page.locator(".print-roll .paper")
    expect(paper).to_contain_text(first["order_id"])
    page.wait_for_function("() => window.dialogs === 1")
    # Looked at again, it is the same ticket, and no second dialog.
    page.reload()
    expect(paper).to_contain_text(first["order_id"])
    assert page.evaluate("() => window.dialogs") == 0
    page.emulate_media(reduced_motion="reduce")
    wrong: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        wrong += serious(page, COLOURS if theme == "dark" else STRUCTURE)
        for width in (390, 1024):
            wrong += overflow(page, width)
    assert wrong == []
    # The paper alone is printed.
    page.emulate_media(media="print")
    expect(paper).to_be_visible()
    expect(page.get_by_role("button", name="Evet, çıktı")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Evet, çıktı").click()
    expect(paper).to_contain_text(second["order_id"])
    page.get_by_role("button", name="Evet, çıktı").click()
    expect(page.get_by_role("status").filter(has_text="Yazdırılacak")).to_be_visible()
