"""The places of the panel on every screen, and the finder that leads to them by a few letters."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import given_time
from tests.browser.panel.desk import sign_in
from tests.browser.panel.house import House, house  # noqa: F401
from tests.browser.panel.judging import COLOURS, EVERYTHING, serious
from tests.product import wait_until

SIZES = ((360, 780), (768, 1024), (1024, 768), (1440, 900))

# Every group twice as long as it is, with the longest of its names.
TWICE = """() => document.querySelectorAll('.rail .group ul, .menu .group ul').forEach((list) => {
    for (const one of [...list.children]) list.append(one.cloneNode(true)); })"""
# What lies where it should not: below the screen, beyond its side, or on what stands below it.
ASTRAY = """() => { const found = []; const rail = document.querySelector('.rail');
    if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the screen');
    if (getComputedStyle(rail).display === 'none') return found;
    const box = (one) => one.getBoundingClientRect();
    const places = box(rail.querySelector('.places')), foot = box(rail.querySelector('.rail-foot'));
    if (foot.bottom > innerHeight + 1) found.push('the foot is below the screen');
    if (places.bottom > foot.top + 1) found.push('places lie under the foot');
    if (places.height < 200) found.push('no room for places');
    for (const one of rail.querySelectorAll('a, button, .who, .account')) {
      const own = box(one);
      if (own.width && (own.right > box(rail).right + 1 || own.left < box(rail).left - 1)) found.push(one.className + ' beyond the rail');
    }
    return found; }"""


@pytest.fixture(scope="module")
def seat(house: House) -> Page:  # noqa: F811
    return house.owner(width=1440)


def barriers(page: Page, scheme: str = "light") -> list[str]:
    """In the dark only the colours are others."""
    return list(serious(page, COLOURS if scheme == "dark" else EVERYTHING))


def open_finder(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(page.locator("#finder [role=option]").first).to_be_visible()


@pytest.mark.looks
def test_a_group_folds_stays_folded_and_still_shows_where_one_is(page: Page) -> None:
    page.goto("/panel/orders")
    head = page.locator(".rail [data-folds=restaurant]")
    expect(head).to_have_attribute("aria-expanded", "true")
    head.focus()
    page.keyboard.press("Enter")
    for _ in range(2):
        expect(page.locator(".rail [data-folds=restaurant]")).to_have_attribute("aria-expanded", "false")
        expect(page.locator('.rail a[href="/panel/orders"]')).to_be_visible()
        expect(page.locator('.rail a[href="/panel/sales"]')).to_be_hidden()
        expect(page.locator('.rail a[href="/panel/team"]')).to_be_visible()
        # As the server draws it, from the beginning.
        page.goto("/panel/orders", wait_until="commit")
    page.goto("/panel/team")
    expect(page.locator('.rail a[href="/panel/orders"]')).to_be_hidden()
    page.locator(".rail [data-folds=restaurant]").click()
    page.reload()
    expect(page.locator('.rail a[href="/panel/sales"]')).to_be_visible()


@pytest.mark.looks
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("language", ["en", "tr"])
def test_twice_as_many_places_break_no_screen(
    house: House,  # noqa: F811
    width: int,
    height: int,
    language: str,
) -> None:
    page = house.owner(language, width=width, height=height)
    page.goto("/panel/security")
    assert page.evaluate(ASTRAY) == []
    page.evaluate(TWICE)
    assert page.evaluate(ASTRAY) == []
    if width >= 700:
        # The last of them can be reached.
        last = page.locator(".rail .places li a").last
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport()
        page.locator(".rail-more").click() if width < 1100 else None
    else:
        # What leads to the other places is not called like one of them.
        names = [name.strip() for name in page.locator(".bar a .name").all_inner_texts()]
        assert len(set(names)) == len(names)
        page.locator(".bar [data-opens=menu]").click()
        assert names[-1] not in page.locator("#menu li a").all_inner_texts()
    if width < 1100:
        expect(page.locator("#menu")).to_be_visible()
        last = page.locator("#menu li a").last
        last.scroll_into_view_if_needed()
        expect(last).to_be_in_viewport()
    page.context.close()


@pytest.mark.looks
@pytest.mark.judged
def test_on_a_tablet_the_rail_is_icons_with_their_names_beside_them(house: House) -> None:  # noqa: F811
    page = house.owner(width=1024, height=768)
    page.goto("/panel/")
    rail = page.locator(".rail").bounding_box()
    assert rail is not None
    assert rail["width"] <= 80
    middles = page.eval_on_selector_all(
        ".rail .places a .icon, .rail .fold .icon",
        "icons => icons.map(one => Math.round(one.getBoundingClientRect().x + one.getBoundingClientRect().width / 2))",
    )
    assert len(set(middles)) == 1, middles
    link = page.locator('.rail a[href="/panel/contacts"]')
    link.hover()
    expect(page.locator(".rail-tip")).to_have_text("Contacts")
    page.mouse.move(600, 400)
    expect(page.locator(".rail-tip")).to_have_count(0)
    # By the keyboard too; and who hears the page is told the name by the link itself.
    page.locator('.rail a[href="/panel/inbox"]').focus()
    page.keyboard.press("Tab")
    expect(page.locator(".rail-tip")).to_have_text("Contacts")
    expect(
        page.get_by_role("navigation", name="Places", exact=True).get_by_role("link", name="Contacts")
    ).to_have_count(1)
    assert barriers(page) == []
    page.locator(".rail-more").click()
    expect(page.locator("#menu").get_by_role("link", name="API and integrations")).to_be_visible()
    expect(page.locator("#menu").get_by_role("button", name="Sign out")).to_be_visible()
    expect(page.locator("#menu").get_by_role("button", name="Türkçe")).to_be_visible()
    page.context.close()


@pytest.mark.looks
def test_the_finder_leads_anywhere_by_keys_alone(page: Page) -> None:
    page.goto("/panel/")
    open_finder(page)
    field = page.get_by_role("combobox", name="Find and go")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#finder [aria-selected=true]")).to_have_text(re.compile("Operator"))
    page.keyboard.press("ArrowDown")
    active = field.get_attribute("aria-activedescendant")
    expect(page.locator(f"#{active}")).to_have_text(re.compile("Home"))
    page.keyboard.press("Escape")
    expect(page.locator("#finder")).to_be_hidden()
    # Whoever knows where to go types it and does not wait.
    page.keyboard.press("Control+k")
    page.keyboard.type("lahmac", delay=5)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/panel/menu/\w+/items/\w+$"))
    expect(page.locator("#finder")).to_be_hidden()


def test_people_orders_and_dishes_are_found_from_every_page(page: Page) -> None:
    page.goto("/panel/team")
    page.locator(".rail .find-button").click()
    field = page.locator("#finder input")
    field.fill("masa 9")
    expect(page.locator("#finder .found-head")).to_have_text(["Orders"])
    expect(page.locator("#finder [role=option]").first).to_contain_text("Table 9")
    field.fill("deniz ars")
    expect(page.locator("#finder .found-head").first).to_have_text("People")
    expect(page.locator("#finder [data-told]")).to_have_text(re.compile(r"^\d+ results?$"))
    page.locator("#finder [role=option]", has_text="Deniz Arslan").first.click()
    page.wait_for_url(re.compile(r"/panel/contacts/\w+$"))


@pytest.mark.looks
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [SIZES[0], SIZES[3]])
def test_the_finder_has_no_barriers_whatever_it_shows(
    house: House,  # noqa: F811
    width: int,
    height: int,
    scheme: str,
) -> None:
    page = house.owner("tr", scheme, width, height)
    page.goto("/panel/")
    page.locator(".find-button:visible, .top [data-finder]:visible").click()
    expect(page.locator("#finder [role=option]").first).to_be_visible()
    assert barriers(page, scheme) == []
    page.locator("#finder input").fill("ad")
    expect(page.locator("#found-people")).to_be_visible()
    assert barriers(page, scheme) == []
    box = page.locator("#finder").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    page.locator("#finder input").fill("zzzz")
    expect(page.locator("#finder .finder-state")).to_contain_text("“zzzz” için bir şey bulunamadı")
    expect(page.locator("#finder input")).to_have_attribute("aria-expanded", "false")
    assert barriers(page, scheme) == []
    page.context.close()


@pytest.mark.looks
@pytest.mark.judged
def test_what_cannot_be_looked_up_says_so_and_is_tried_again(page: Page) -> None:
    page.goto("/panel/")
    open_finder(page)
    page.route("**/panel/find?*", lambda route: route.abort())
    page.locator("#finder input").fill("team")
    expect(page.locator(".finder-failed")).to_be_visible()
    expect(page.locator("#finder [role=option]:visible")).to_have_count(0)
    assert barriers(page) == []
    page.unroute("**/panel/find?*")
    page.locator(".finder-failed button").click()
    expect(page.locator("#finder [role=option]")).to_have_text([re.compile("Team")])
    expect(page.locator(".finder-failed")).to_be_hidden()


def test_a_late_answer_does_not_replace_a_newer_one(page: Page) -> None:
    page.goto("/panel/")
    open_finder(page)
    # The answer to the first words is held back until after the second.
    held: list[Route] = []
    page.route(re.compile(r"/panel/find\?q=sec"), lambda route: held.append(route))
    page.locator("#finder input").fill("sec")
    wait_until(lambda: given_time(page, held), "the first words to be asked for")
    page.locator("#finder input").fill("team")
    expect(page.locator("#finder [role=option]")).to_have_text([re.compile("Team")])
    for route in held:
        route.fulfill(body="<p>late</p>")
    page.wait_for_timeout(200)
    expect(page.locator("#finder [role=option]")).to_have_text([re.compile("Team")])


def test_the_kitchen_finds_no_people(house: House) -> None:  # noqa: F811
    page = house.owner(width=1024, height=768)
    token = sign_in(house.product, "kitchen", "Cem", "en")
    page.context.add_cookies([{"name": "tablegram_session", "value": token, "url": house.url}])
    page.goto("/panel/board")
    open_finder(page)
    page.locator("#finder input").fill("ad")
    # Dishes that begin so, and orders that have one; people there are too, for others.
    expect(page.locator("#finder .found-head")).to_have_text(["Dishes", "Orders"])
    page.context.close()
