"""The panel's doors, tried by everybody: strangers, other browsers' forms, every role at every form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pyotp
import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.roles import SCOPES
from tablegram.accounts.team import Team
from tests.opened_product import PAGES as EVERY_PAGE
from tests.panel.visiting import House, Page, Person, house

PASSWORD = "four words are enough"
POSTS = {
    path: handler.opt
    for handler in EVERY_PAGE
    if "POST" in handler.http_methods
    for path in handler.paths
}  # fmt: skip
# What is a person's own, whatever the role.
PERSONAL = {
    "/security/profile",
    "/security/password",
    "/security/second-factor",
    "/security/second-factor/off",
    "/security/codes",
    "/security/sessions/end",
    "/security/sign-out-everywhere",
    "/link/{token:str}/join",
    "/account",
}
PUBLIC = {"/language", "/theme", "/sign-in", "/sign-in/second", "/forgot", "/link/{token:str}", "/sign-out"}


def filled(path: str) -> str:
    return "/panel" + re.sub(r"\{\w+:int\}", "1", re.sub(r"\{\w+:str\}", "x", path))


class Browser:
    """Somebody with a browser that keeps its cookies."""

    def __init__(self, here: House) -> None:
        self.asking = Person(here.running, "")
        self.jar: dict[str, str] = {}

    async def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> Page:
        cookie = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        kind = {"content-type": "application/x-www-form-urlencoded"} if method == "POST" else {}
        page = await self.asking._ask(method, path, body, {"cookie": cookie, **kind, **headers})
        for one in page.cookies:
            name, _, value = one.partition("=")
            self.jar[name] = value.strip('"')
            if not self.jar[name]:
                del self.jar[name]
        return page

    async def get(self, path: str) -> Page:
        return await self.ask("GET", path)

    async def submit(self, path: str, form_on: str = "", **fields: Any) -> Page:
        """Open the page that has the form, then send it."""
        shown = await self.get(form_on or path)
        proof = re.search(r'data-csrf="([^"]+)"', shown.text)
        assert proof is not None
        return await self.ask("POST", path, urlencode({**fields, "csrf": proof[1]}).encode())


async def first_link(here: House, email: str = "ada@example.com", role: str = "owner") -> str:
    api = here.running.api
    await Team(api.db, api.clock).add(1, email, role)
    purpose: Any = "owner" if role == "owner" else "invite"
    address = await api.people.links.make(purpose, email, by="test", account_id=1, role=role)
    return str(address.removeprefix(api.settings.base_url))


async def come_in(here: House, browser: Browser, email: str = "ada@example.com") -> None:
    link = await first_link(here, email)
    answer = await browser.submit(link, name="Ada", password=PASSWORD)
    assert (answer.status, answer.location) == (303, "/panel/")


def test_every_form_is_personal_public_or_names_what_it_needs() -> None:
    without = {path for path, opt in POSTS.items() if not opt.get("scope")}
    assert without == PERSONAL | PUBLIC
    assert {path for path, opt in POSTS.items() if opt.get("public")} == PUBLIC


async def test_no_role_gets_past_a_form_that_is_not_for_it(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        for role, scopes in SCOPES.items():
            person = await here.person(role)
            proof = await person.csrf()
            for path, opt in POSTS.items():
                scope = opt.get("scope")
                if not scope or scope in scopes or ("*" in scopes and scope != "operator"):
                    continue
                answer = await person.post(filled(path), {"role": "owner", "confirm": "x"}, csrf=proof)
                assert answer.status == 403, (role, path)
                assert "role" in answer.words, (role, path)


async def test_no_form_is_taken_without_its_proof_or_with_another_browsers(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, other = await here.person("owner"), await here.person("manager")
        await here.running.api.people.register.set_operator("owner.1.en@example.com", True)
        foreign = await other.csrf()
        for path in POSTS:
            for proof in ("", "nonsense", foreign):
                answer = await owner.post(filled(path), {"csrf": proof}, csrf="")
                assert answer.status == 403, (path, proof)
                assert "nothing was changed" in answer.words, path


async def test_nobody_who_is_not_signed_in_gets_past_a_form(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        browser = Browser(here)
        for path, opt in POSTS.items():
            if opt.get("public"):
                continue
            answer = await browser.submit(filled(path), form_on="/panel/sign-in")
            assert (answer.status, answer.location.split("?")[0]) == (303, "/panel/sign-in"), path


async def test_the_way_in_and_out_and_in_again_with_the_second_factor(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        browser = Browser(here)
        await come_in(here, browser)
        offered = await browser.get("/panel/security/second-factor")
        ticket = re.search(r'name="ticket" value="([^"]+)"', offered.text)
        secret = re.search(r"<code>([A-Z2-7 ]{39})</code>", offered.text)
        assert ticket is not None
        assert secret is not None
        app = pyotp.TOTP(secret[1].replace(" ", ""))
        no_code = "000000" if app.now() != "000000" else "111111"
        for field, code, password in (
            ("code", no_code, PASSWORD), ("password", app.now(), ""), ("password", app.now(), "wrong words here"),
        ):  # fmt: skip
            wrong = await browser.submit(
                "/panel/security/second-factor", ticket=ticket[1], code=code, password=password
            )
            assert wrong.status == 422
            assert re.findall(r'id="(\w+)-error"', wrong.text) == [field]
            assert secret[1] in wrong.text, "the picture stays the same"
            assert PASSWORD not in wrong.text
        shown = await browser.submit(
            "/panel/security/second-factor", ticket=ticket[1], code=app.now(), password=PASSWORD
        )
        codes = re.findall(r"[2-9a-z]{5}-[2-9a-z]{5}", shown.text.split("<pre")[1].split("</pre>")[0])
        assert len(codes) == 10
        out = await browser.submit("/panel/sign-out", form_on="/panel/security")
        assert out.location == "/panel/sign-in"
        half = await browser.submit("/panel/sign-in", email="ada@example.com", password=PASSWORD, next="/panel/team")
        assert half.location == "/panel/sign-in/second?next=/panel/team"
        # Halfway in is not in.
        assert (await browser.get("/panel/team")).status == 303
        before = browser.jar["tablegram_session"]
        inside = await browser.submit("/panel/sign-in/second", code=codes[3], next="/panel/team")
        assert inside.location == "/panel/team"
        assert browser.jar["tablegram_session"] != before
        assert "Ada" in (await browser.get("/panel/team")).words


async def test_what_weakens_the_way_in_asks_for_the_password(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        browser = Browser(here)
        await come_in(here, browser)
        offered = await browser.get("/panel/security/second-factor")
        ticket = re.search(r'name="ticket" value="([^"]+)"', offered.text)
        secret = re.search(r"<code>([A-Z2-7 ]{39})</code>", offered.text)
        assert ticket is not None
        assert secret is not None
        code = pyotp.TOTP(secret[1].replace(" ", "")).now()
        await browser.submit("/panel/security/second-factor", ticket=ticket[1], code=code, password=PASSWORD)
        second, person = (
            here.running.api.people.second_factor,
            await here.running.api.people.register.find("ada@example.com"),
        )
        assert person is not None
        for path, field in (("codes", "codes_password"), ("second-factor/off", "off_password")):
            for given in ({}, {field: "wrong words here"}):
                refused = await browser.submit(f"/panel/security/{path}", form_on="/panel/security", **given)
                assert refused.status == 422, path
                assert re.findall(r'id="(\w+)-error"', refused.text) == [field]
        assert await second.codes_left(person.id) == 10
        fresh = await browser.submit("/panel/security/codes", form_on="/panel/security", codes_password=PASSWORD)
        assert "Recovery codes" in fresh.words
        off = await browser.submit(
            "/panel/security/second-factor/off", form_on="/panel/security", off_password=PASSWORD
        )
        assert (off.status, off.location) == (303, "/panel/security")
        assert await second.codes_left(person.id) == 0


async def test_a_cookie_that_somebody_planted_never_becomes_a_session(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        await come_in(here, Browser(here))
        planted = "a" * 43
        victim, thief = Browser(here), Browser(here)
        victim.jar["tablegram_session"] = thief.jar["tablegram_session"] = planted
        await victim.submit("/panel/sign-in", email="ada@example.com", password=PASSWORD)
        assert victim.jar["tablegram_session"] != planted
        assert (await victim.get("/panel/security")).status == 200
        assert (await thief.get("/panel/security")).status == 303


@pytest.mark.parametrize(
    "wanted", ["https://evil.example", "//evil.example", "/\\evil.example", "/api/v1/me", "javascript:1"]
)
async def test_after_signing_in_nobody_is_led_out_of_the_panel(database_url: str, tmp_path: Path, wanted: str) -> None:
    async with house(database_url, tmp_path) as here:
        await come_in(here, Browser(here))
        answer = await Browser(here).submit("/panel/sign-in", email="ada@example.com", password=PASSWORD, next=wanted)
        assert answer.location == "/panel/"


async def test_a_link_that_was_used_or_never_was_says_so_and_a_wrong_password_is_told_in_words(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        link = await first_link(here)
        weak = await Browser(here).submit(link, name="Ada", password="ada@example.com")
        assert weak.status == 422
        assert 'value="Ada"' in weak.text, "the typed text is kept"
        assert "ada@example.com" not in weak.text.split('type="password"')[1].split(">")[0]
        assert (await Browser(here).submit(link, name="Ada", password=PASSWORD)).status == 303
        for path, status in ((link, 410), ("/panel/link/" + "x" * 43, 404)):
            for page in (
                await Browser(here).get(path),
                await Browser(here).submit(path, form_on="/panel/sign-in", name="Eve", password=PASSWORD),
            ):
                assert page.status == status
                assert "This link" in page.words
        refused = await Browser(here).submit("/panel/sign-in", email="ada@example.com", password="wrong words here")
        assert refused.status == 401
        assert "not right" in refused.words


async def test_an_owner_invites_changes_and_removes(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        browser = Browser(here)
        await come_in(here, browser)
        invited = await browser.submit("/panel/team", form_on="/panel/team/new", email="bob@example.com", role="staff")
        # Other accounts are here too: the link is made by who runs the installation.
        assert "/panel/link/" not in invited.text
        assert "tablegram member link bob@example.com --account" in invited.words
        people, base = here.running.api.people, here.running.api.settings.base_url
        link = (
            await people.links.make("invite", "bob@example.com", by="test", account_id=1, role="staff")
        ).removeprefix(base)
        again = await browser.submit("/panel/team", form_on="/panel/team/new", email="bob@example.com", role="staff")
        assert again.status == 409
        bob = Browser(here)
        assert (await bob.submit(link, name="Bob", password=PASSWORD)).status == 303
        assert (await bob.get("/panel/team")).status == 403
        member = re.search(r"/panel/team/([0-9a-z]{26})\"[^>]*>Bob", (await browser.get("/panel/team")).text)
        assert member is not None
        page = f"/panel/team/{member[1]}"
        assert (await browser.submit(f"{page}/role", form_on=page, role="owner")).status == 303
        assert (await bob.get("/panel/team")).status == 200
        assert (await browser.submit(f"{page}/remove", form_on=page, confirm="Bob")).status == 422
        assert (await browser.submit(f"{page}/remove", form_on=page, confirm="bob@example.com")).status == 303
        assert (await bob.get("/panel/")).status == 303


async def test_an_invitation_looks_the_same_whether_its_address_is_known_here_or_not(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        await come_in(here, Browser(here))
        bob = Browser(here)
        assert (
            await bob.submit(await first_link(here, "bob@example.com", "staff"), name="Bob", password=PASSWORD)
        ).status == 303
        api = here.running.api
        # Another account invites one who is known under a name, and one who is not.
        other = await Accounts(api.db, api.clock).create("Kebap")
        pages, links = [], []
        for email in ("bob@example.com", "eve@example.com"):
            await Team(api.db, api.clock).add(other.id, email, "staff")
            address = await api.people.links.make("invite", email, by="test", account_id=other.id, role="staff")
            links.append(str(address.removeprefix(api.settings.base_url)))
            shown = (await Browser(here).get(links[-1])).text.replace(email, "?").replace(links[-1], "?")
            pages.append(re.sub(r'csrf"?( value)?="[^"]+"|\d{13}', "", shown))
        assert pages[0] == pages[1]
        assert "sign in to accept" in pages[0]
        # It chooses no password for who has one; they sign in, and join.
        refused = await Browser(here).submit(links[0], name="Bob", password="five words are even more")
        assert (refused.status, "sign in" in refused.words) == (409, True)
        assert (await bob.submit(f"{links[0]}/join", form_on=links[0])).status == 303
        assert (await Browser(here).submit(links[1], name="Eve", password=PASSWORD)).status == 303


async def test_who_was_invited_by_name_finds_it_filled_in(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        api = here.running.api
        await Team(api.db, api.clock).add(1, "can@example.com", "staff", "Can Usta")
        address = await api.people.links.make("invite", "can@example.com", by="test", account_id=1, role="staff")
        link = str(address.removeprefix(api.settings.base_url))
        assert 'value="Can Usta"' in (await Browser(here).get(link)).text
        unnamed = await first_link(here, "nobody@example.com", "staff")
        assert 'value="Can Usta"' not in (await Browser(here).get(unnamed)).text
