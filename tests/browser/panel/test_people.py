"""From the owner's first link to a whole team, in a real browser, with letters over a real connection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from typing import Any

import pyotp
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.accounts.people.letterbox import Letterbox, letterbox
from tests.browser.chromium import browsing
from tests.browser.panel.judging import serious
from tests.databases import Databases
from tests.product import Product, running_product

PASSWORD = "four words are enough"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="module")
def mail() -> Iterator[Letterbox]:
    with letterbox() as box:
        yield box


@pytest.fixture(scope="module")
def product(databases: Databases, mail: Letterbox) -> Iterator[Product]:
    url = databases.migrated()
    settings = {"TABLEGRAM_SMTP_URL": mail.url, "TABLEGRAM_MAIL_FROM": "Tablegram <desk@example.com>"}
    with running_product(url, sandbox_alone=True, settings=settings) as running:
        yield running
    databases.drop(url)


@contextmanager
def visitor(
    browser: Browser, product: Product, width: int = 1280, locale: str = "en-GB", scheme: Any = "light"
) -> Iterator[Page]:
    """Somebody with a browser of their own, whose console stays quiet."""
    troubles: list[str] = []
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        locale=locale,
        color_scheme=scheme,
        # What fades has no colour of its own for a moment.
        reduced_motion="reduce",
        base_url=product.url,
    )
    page = context.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))

    def hear(entry: ConsoleMessage) -> None:
        # A refusal is an answer like others, though browsers write it into the console.
        if entry.type == "error" and not re.search("status of 4", entry.text):
            troubles.append(entry.text)

    page.on("console", hear)
    yield page
    context.close()
    assert troubles == []


def choose_password(page: Page, link: str, name: str, button: str, first_page: str = "Home") -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(first_page)


def sign_in(page: Page, email: str, password: str) -> None:
    page.goto("/panel/sign-in")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.goto("/panel/security")
    page.get_by_role("navigation", name="Places").get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/panel/sign-in"))


def link_in(letter: EmailMessage) -> str:
    found = re.search(r"http\S+/panel/link/\S+", str(letter.get_content()))
    assert found is not None
    return found[0]


@pytest.mark.looks
def test_the_owner_comes_in_by_the_first_link_and_again_with_the_second_factor(
    browser: Browser, product: Product
) -> None:
    told = product.cli("demo")
    with visitor(browser, product) as page:
        choose_password(page, told["panel"], "Ada", "Start")
        page.goto("/panel/security")
        page.get_by_role("link", name="Switch it on").click()
        secret = page.locator(".manual code").inner_text().replace(" ", "")
        page.locator("input[name=code]").fill(pyotp.TOTP(secret).now())
        page.get_by_label("Present password").fill(PASSWORD)
        page.get_by_role("button", name="Switch it on").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Recovery codes")
        codes = page.locator(".codes code").inner_text().split()
        assert len(codes) == 10
        sign_out(page)
        sign_in(page, told["owner"], PASSWORD)
        expect(page).to_have_url(re.compile("/panel/sign-in/second"))
        page.goto("/panel/team")
        expect(page).to_have_url(re.compile("/panel/sign-in"))
        sign_in(page, told["owner"], PASSWORD)
        page.locator("input[name=code]").fill("000000")
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("does not fit")
        # The app's code was used up when it was switched on; within its half minute a recovery code is the way.
        page.locator("input[name=code]").fill(codes[0])
        page.get_by_role("button", name="Sign in", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Home")
    # Used, and told so: the first link is worth nothing now.
    with visitor(browser, product) as page:
        page.goto(told["panel"])
        expect(page.get_by_role("heading", level=1)).to_contain_text("does not work")


@pytest.mark.looks
def test_a_member_is_invited_by_letter_accepts_and_gets_a_new_password(
    browser: Browser, product: Product, mail: Letterbox
) -> None:
    product.cli("account", "create", "Meze")
    first = product.cli("member", "add", "owner@meze.example", "--account", "Meze", "--role", "owner")["link"]
    with visitor(browser, product) as owner, visitor(browser, product, width=360) as cook:
        choose_password(owner, first, "Ada", "Start")
        owner.goto("/panel/team")
        owner.get_by_role("link", name="Invite somebody").first.click()
        owner.get_by_label("E-mail address").fill("cook@example.com")
        owner.get_by_label("Kitchen").check()
        owner.get_by_role("button", name="Invite").click()
        expect(owner.get_by_role("heading", level=1)).to_contain_text("is invited")
        letter = mail.wait_for("cook@example.com")
        assert "Meze" in letter["Subject"]
        # An address belongs to who opens the letter.
        expect(owner.locator("main")).to_contain_text("An e-mail to cook@example.com is on its way")
        expect(owner.locator(".copyable")).to_have_count(0)
        choose_password(cook, link_in(letter), "Bora", "Accept and sign in", first_page="Board")
        cook.goto("/panel/team")
        expect(cook.get_by_role("heading", level=1)).to_contain_text("Not for your role")
        owner.goto("/panel/team")
        expect(owner.get_by_role("row", name="Bora")).to_contain_text("active")
        owner.get_by_role("link", name="Bora").click()
        owner.get_by_label("Manager").check()
        owner.get_by_role("button", name="Save the role").click()
        expect(owner.get_by_role("row", name="Bora")).to_contain_text("Manager")
    with visitor(browser, product) as cook:
        cook.goto("/panel/sign-in")
        cook.get_by_role("link", name="Forgot your password?").click()
        cook.get_by_label("E-mail address").fill("cook@example.com")
        cook.get_by_role("button", name="Send the link").click()
        expect(cook.locator("main")).to_contain_text("If cook@example.com is known here")
        reset = mail.wait_for("cook@example.com", subject="Choose a new password")
        cook.goto(link_in(reset))
        cook.get_by_label("New password").fill("five words are even more")
        cook.get_by_role("button", name="Save and sign in").click()
        expect(cook.get_by_role("heading", level=1)).to_contain_text("Home")
        sign_out(cook)
        sign_in(cook, "cook@example.com", PASSWORD)
        expect(cook.get_by_role("alert")).to_contain_text("not right")
        sign_in(cook, "cook@example.com", "five words are even more")
        expect(cook.get_by_role("heading", level=1)).to_contain_text("Home")


@pytest.mark.looks
@pytest.mark.parametrize(("locale", "scheme", "width"), [("en-GB", "light", 1440), ("tr-TR", "dark", 360)])
def test_every_door_can_be_used_by_everybody(
    browser: Browser, product: Product, locale: str, scheme: str, width: int
) -> None:
    """Strangers' pages, and those that show something once: the rest is looked at with every other page."""
    name = f"Door {width}"
    product.cli("account", "create", name)
    first = product.cli("member", "add", f"door{width}@example.com", "--account", name, "--role", "owner")["link"]
    with visitor(browser, product, width, locale, scheme) as page:
        for address in ("/panel/sign-in", "/panel/forgot", "/panel/link/" + "x" * 43, first):
            page.goto(address)
            inspect(page, address)
        page.locator("input[name=name]").fill("Deniz")
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("main button.primary").click()
        page.wait_for_url("**/panel/")
        page.goto("/panel/security/second-factor")
        inspect(page, "the second factor")
        secret = page.locator(".manual code").inner_text().replace(" ", "")
        page.locator("input[name=code]").fill(pyotp.TOTP(secret).now())
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("main button.primary").click()
        expect(page.locator(".codes")).to_be_visible()
        inspect(page, "recovery codes")
        page.goto("/panel/security")
        inspect(page, "security")
        page.goto("/panel/team/new")
        inspect(page, "an invitation")
        page.locator("input[name=email]").fill("somebody.with.a.long.address@some.long.domain.example.com")
        page.locator("main button.primary").click()
        expect(page.locator(".invite-link")).to_be_visible()
        inspect(page, "an invitation's link")
        page.goto("/panel/team")
        inspect(page, "team")


def inspect(page: Page, where: str) -> None:
    """Nothing that keeps somebody out, and nothing wider than the screen."""
    assert list(serious(page)) == [], where
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, where
