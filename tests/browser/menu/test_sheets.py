"""Sheets and the browser's way back; what follows the language that a guest chooses."""

from __future__ import annotations

import random
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tablegram.restaurant.menu import changes
from tablegram.restaurant.menu.model import UNTIL_TOLD
from tests.browser.menu.phone import add, item, kept, open_cart, saved
from tests.browser.menu.restaurant import Restaurant


@pytest.mark.looks
def test_back_closes_the_topmost_sheet_and_stays_on_the_menu(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=3")
    page.locator(".item").last.scroll_into_view_if_needed()
    where = page.evaluate("scrollY")
    menu = page.url
    add(page, "Hummus")
    cart = saved(page)
    cart.get_by_role("button", name="Change Hummus").click()
    dish = page.get_by_role("dialog", name="Hummus")
    expect(dish).to_be_visible()
    page.go_back()
    expect(dish).to_have_count(0)
    expect(cart).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Forward opens nothing and breaks nothing.
    page.evaluate("new Promise((done) => { addEventListener('popstate', done, { once: true }); history.forward() })")
    expect(page.get_by_role("button", name="See cart")).to_be_visible()
    page.wait_for_function("() => !history.state?.sheets")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # A sheet that is closed by its button leaves nothing behind that back would stumble over.
    length = page.evaluate("history.length")
    for _ in range(3):
        open_cart(page).get_by_role("button", name="Close").click()
        expect(cart).to_have_count(0)
        page.wait_for_function("() => !history.state?.sheets")
    assert page.evaluate("history.length") <= length + 1
    assert page.url == menu
    open_cart(page)
    page.reload()
    expect(page.get_by_role("button", name="See cart")).to_be_visible()
    page.wait_for_function("() => !history.state?.sheets")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert where > 0


@pytest.mark.looks
def test_steps_and_sheets_agree_whatever_a_guest_presses(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=3")
    add(page, "Hummus")
    menu = page.url
    page.evaluate("history.scrollRestoration = 'auto'")
    presses = {
        "cart": "document.querySelector('dialog[open]') || document.getElementById('bar').click()",
        "dish": "document.querySelector('dialog[open]') || document.querySelector('.item:nth-of-type(2) .open').click()",
        "change": "document.querySelector('dialog.cart:last-of-type .does .link')?.click()",
        "close": "[...document.querySelectorAll('dialog[open] .sheet-head .round')].at(-1)?.click()",
        "all": "for (const one of document.querySelectorAll('dialog[open]')) one.close()",
        "back": "if ((history.state?.sheets ?? 0) > 0) { history.back(); steps = true }",
        "forward": "if (navigation.canGoForward) { history.forward(); steps = true }",
    }
    # A step is taken when the browser says so; one that the second press overtakes may never be.
    press = """async () => {
      let steps = false;
      const taken = new Promise((done) => addEventListener('popstate', done, { once: true }));
      PRESSED;
      if (steps) await Promise.race([taken, new Promise((done) => setTimeout(done, PATIENCE))]);
    }"""
    chance = random.Random(7)
    for step in range(40):
        pressed = [chance.choice(list(presses))]
        # Sometimes two at once: nobody waits for a sheet to be gone. Two steps back at once do leave the menu.
        if pressed != ["back"] and chance.random() < 0.4:
            pressed.append(chance.choice([one for one in presses if one != "back"]))
        script = press.replace("PRESSED", "; ".join(presses[one] for one in pressed))
        page.evaluate(script.replace("PATIENCE", "20_000" if len(pressed) == 1 else "500"))
        agree = "() => document.querySelectorAll('dialog[open]').length === (history.state?.sheets ?? 0)"
        page.wait_for_function(f"async () => {{ const ok = {agree}; if (!ok()) return false; {_PAUSE}; return ok(); }}")
        assert page.url.partition("#")[0] == menu, (step, pressed)
    page.evaluate(presses["all"])
    page.wait_for_function("() => !history.state?.sheets && history.scrollRestoration === 'auto'")


# Long enough for the browser to take a step.
_PAUSE = "await new Promise((done) => setTimeout(done, 40))"


def test_the_page_stays_where_it_was_under_a_sheet(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=3")
    row = page.locator(".item").last
    row.scroll_into_view_if_needed()
    where = page.evaluate("scrollY")
    row.get_by_role("link").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    link = page.url
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("scrollY") == where
    # What stood in the address meanwhile is a link to the dish.
    other = restaurant.page(restaurant.context())
    other.goto(link)
    dish = other.get_by_role("dialog")
    expect(dish).to_be_visible()
    expect(dish.get_by_role("heading", level=2)).to_have_text(row.get_by_role("link").inner_text())
    other.go_back()
    expect(dish).to_have_count(0)
    assert "#" not in other.url
    other.goto(link.replace("#i-", "#i-no-such-"))
    expect(other.locator("html")).to_have_attribute("data-ready", "yes")
    expect(dish).to_have_count(0)


@pytest.mark.looks
def test_everything_follows_the_language_that_is_chosen(restaurant: Restaurant) -> None:
    page = restaurant.guest("?table=12", service_workers="block")
    add(page, "Hummus")
    add(page, "Haydari")
    saved(page).get_by_role("button", name="Close").click()
    hummus = item(page, "Hummus").get_attribute("data-id") or ""
    page.get_by_role("link", name="Türkçe").click()
    page.get_by_role("button", name="Sepeti gör").click()
    cart = page.get_by_role("dialog", name="Sepetiniz")
    send = cart.get_by_role("link", name="Siparişi gönder")
    expect(send).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('dialog .primary').search.includes(encodeURIComponent('masa'))"
    )
    text = parse_qs(urlsplit(send.get_attribute("href") or "").query)["text"][0]
    assert "Humus" in text, text
    assert kept(page)["view"]["language"] == "tr"
    restaurant.edit_menu(lambda menu: changes.sell_out(menu, [hummus], UNTIL_TOLD))
    try:
        expect(cart.get_by_text("Humus tükendi.")).to_be_visible()
        page.go_back()
        page.get_by_role("link", name="English").click()
        cart = open_cart(page)
        expect(cart.get_by_text("Hummus is sold out.")).to_be_visible()
        cart.get_by_role("button", name="Remove").click()
        cart.get_by_role("button", name="Order without the app").click()
        page.get_by_label("Phone").fill("0555 111 22 33")
        page.get_by_role("button", name="Order now").click()
        page.locator("#orders a").wait_for()
        page.get_by_role("link", name="Türkçe").click()
        page.locator("#orders a").click()
        expect(page.get_by_role("heading", name="Siparişiniz")).to_be_visible()
    finally:
        restaurant.edit_menu(lambda menu: changes.sell_out(menu, [hummus], None))
