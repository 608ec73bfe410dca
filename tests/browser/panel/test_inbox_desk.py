"""The desk in a real browser: a note by a key, who answered, a rest from the sheet, and on to the next conversation."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.browser.panel.desk import Desk
from tests.browser.panel.test_inbox import bubble, open_talk
from tests.product import wait_until


@pytest.mark.looks
def test_notes_names_rests_and_the_next_conversation(desk: Desk) -> None:
    for number, name in enumerate(("Ayla Su", "Bora Ak", "Cem Er")):
        desk.write("Merhaba, dün çantamı sizde unuttum galiba", f"90555111900{number}", name=name)
        # The network tells whole seconds: who wrote first is only known when another one has begun.
        second = int(time.time())
        wait_until(lambda now=second: int(time.time()) > now, "the next second")
    page = desk.person()
    open_talk(page, "Cem Er")
    box = page.get_by_role("textbox", name="Reply to Cem Er")
    box.fill("Buyurun")
    box.press("Enter")
    expect(bubble(page, "Buyurun")).to_contain_text("You")

    # A key opens the field; what is noted stands in the conversation, and nothing went out.
    page.locator("h2").first.click()
    box.press("Escape")
    page.keyboard.press("n")
    note = page.get_by_role("textbox", name="Note")
    expect(note).to_be_focused()
    note.fill("Her zaman cam kenarı ister")
    page.get_by_role("button", name="Save the note").click()
    kept = page.locator(".bubble.is-note")
    expect(kept).to_contain_text("Her zaman cam kenarı ister")
    expect(kept).to_contain_text("You")

    def said() -> list[str]:
        return [one["text"] for one in desk.product.on_phone("905551119002") if one["direction"] == "in"]

    wait_until(lambda: "Buyurun" in said(), "the answer on the phone")
    assert not any("cam kenarı" in text for text in said())

    # Who was answered does not wait; the others do, longest first.
    page.goto("/panel/inbox?show=waiting")
    expect(page.locator(".talk-name")).to_have_text(["Ayla Su", "Bora Ak"])
    expect(page.locator(".talk").first).to_contain_text("waiting")

    # Closing and snoozing go on to the next of the list.
    page.get_by_role("link", name="Ayla Su").first.click()
    page.wait_for_load_state()
    page.get_by_role("button", name="Close", exact=True).first.click()
    expect(page.get_by_role("heading", name="Bora Ak").first).to_be_visible()
    page.wait_for_load_state()
    page.get_by_role("link", name="Snooze", exact=True).click()
    page.get_by_role("button", name="Tomorrow at 09:00").click()
    expect(page.get_by_text("Snoozed until")).to_be_visible()
    expect(page.get_by_text("Nobody waits for a reply")).to_be_visible()
    page.goto("/panel/inbox?show=snoozed")
    expect(page.locator("html[data-live=on]")).to_be_attached()
    expect(page.locator(".talk-name")).to_have_text(["Bora Ak"])
    desk.write("Bir şey daha", "905551119001")
    expect(page.get_by_text("Nothing is snoozed")).to_be_visible()
    page.context.close()
