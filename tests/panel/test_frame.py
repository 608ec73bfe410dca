"""The panel's frame: who comes in, what a browser is told, forms that prove themselves, files that never go stale."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.errors import TooMany
from tablegram.panel.access import SignInNeeded
from tablegram.panel.app import POLICY
from tablegram.panel.cookies import GUEST
from tablegram.panel.navigation import GROUPS
from tablegram.panel.render import is_own_address
from tests.panel.visiting import Person, house

FORM = "application/x-www-form-urlencoded"
PLACES = [place.path for group in GROUPS for place in group.places]


async def test_nobody_sees_a_page_without_signing_in_and_is_led_back_to_it(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        guest = Person(here.running, "")
        front = await guest.get("/")
        assert (front.status, front.location) == (303, "/panel/")
        for path in PLACES:
            page = await guest.get(path)
            assert page.status == 303, path
            assert page.location == SignInNeeded(path).address
        assert (await guest.get("/panel/usage?by=line")).location == "/panel/sign-in?next=/panel/usage%3Fby%3Dline"
        part = await guest.get("/panel/usage?part=list")
        assert part.status == 401
        assert (await Person(here.running, "x" * 43).get("/panel/")).status == 303


async def test_a_form_that_another_site_sends_is_refused_although_its_proof_is_right(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        body = urlencode({"csrf": await owner.csrf(), "name": "Ada", "language": "tr"}).encode()
        statuses = {}
        for site in ("cross-site", "same-site", "nonsense", "none", "same-origin"):
            page = await owner._ask(
                "POST", "/panel/security/profile", body, {"content-type": FORM, "sec-fetch-site": site}
            )
            statuses[site] = page.status
        assert statuses == {"cross-site": 403, "same-site": 403, "nonsense": 403, "none": 303, "same-origin": 303}


async def test_a_theme_is_kept_on_the_device_and_stands_in_the_page_from_its_first_byte(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        assert "data-theme" not in (await owner.get("/panel/")).text
        for chosen, kept in (("dark", "dark"), ("light", "light"), ("", ""), ("<b>", "")):
            answer = await owner.post("/panel/theme", {"theme": chosen, "next": "/panel/team"})
            assert (answer.status, answer.location) == (303, "/panel/team")
            assert f"tablegram_theme={kept}" in [one.replace('"', "") for one in answer.cookies]
        session = f"tablegram_session={owner.token}"
        for path in ("/panel/", "/panel/nothing-here"):
            page = await owner.get(path, cookie=f"{session}; tablegram_theme=dark")
            assert re.search(r'<html lang="en" data-theme="dark"', page.text), path
        assert (
            'data-theme="dark"'
            in (await Person(here.running, "").get("/panel/sign-in", cookie="tablegram_theme=dark")).text
        )
        odd = await owner.get("/panel/", cookie=f"{session}; tablegram_theme=x")
        assert "data-theme" not in odd.text


async def test_a_page_that_says_no_says_it_in_words_and_still_tells_what_waits(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        gone = await owner.get("/panel/nothing-here")
        assert "Reference: not_found" in gone.words
        assert "<code>not_found</code>" not in gone.text

        async def waiting(*_: object) -> dict[str, int]:
            return {"inbox": 7}

        monkeypatch.setattr("tablegram.panel.access._badges", waiting)
        refused = await owner.post("/panel/team", {"email": "nobody", "role": "staff"})
        assert refused.status == 422
        assert 'data-count="inbox"><span class="figure">7<' in refused.text


async def test_every_answer_tells_the_browser_to_be_careful(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        for path in ("/panel/", "/panel/nothing", "/panel/sign-in"):
            page = await owner.get(path)
            assert page.headers["content-security-policy"] == POLICY
            assert page.headers["cache-control"] == "no-store"
            assert page.headers["x-content-type-options"] == "nosniff"
            assert page.headers["x-frame-options"] == "DENY"
            assert page.headers["referrer-policy"] == "same-origin"
            # What the policy forbids is not there: nothing inline.
            assert not re.search(r"<script(?![^>]*(src=|application/json))", page.text)
            assert not re.search(r"""\s(style|on[a-z]+)=["']""", page.text)
            assert "<style" not in page.text


@pytest.mark.parametrize(("public_url", "strict"), [("", None), ("https://panel.example.com", "max-age=31536000")])
async def test_a_browser_that_came_over_tls_never_comes_without_it_again(
    database_url: str, tmp_path: Path, public_url: str, strict: str | None
) -> None:
    async with house(database_url, tmp_path, public_url=public_url) as here:
        owner = await here.person()
        for path in ("/", "/panel/", "/panel/nothing", "/panel/sign-in", "/panel/static/none.css", "/api/v1/menu"):
            page = await owner.get(path)
            assert page.headers.get("strict-transport-security") == strict, path


async def test_two_products_in_one_process_share_the_framework_and_nothing_else(
    make_database_url: Callable[..., str], tmp_path: Path
) -> None:
    folders = tmp_path / "one", tmp_path / "two"
    for folder in folders:
        folder.mkdir()
    async with (
        house(make_database_url(), folders[0], public_url="https://one.example") as one,
        house(make_database_url(), folders[1]) as two,
    ):
        owner, other = await one.person(), await two.person()
        pages = await asyncio.gather(*(who.get("/panel/") for who in (owner, other, owner, other)))
        assert [page.status for page in pages] == [200] * 4
        assert ["strict-transport-security" in page.headers for page in pages] == [True, False] * 2
        # A session and a key open the house that gave them.
        assert (await Person(two.running, owner.token).get("/panel/")).status == 303
        key = one.running.keys[0]
        assert [(await here.running.ask("GET", "/me", key=key)).status for here in (one, two)] == [200, 401]


@pytest.mark.parametrize(("public_url", "secure"), [("", False), ("https://panel.example.com", True)])
async def test_cookies_are_closed_to_scripts_and_other_sites_and_secure_behind_tls(
    database_url: str, tmp_path: Path, public_url: str, secure: bool
) -> None:
    async with house(database_url, tmp_path, public_url=public_url) as here:
        owner = await here.person()
        answer = await owner.post("/panel/language", {"language": "tr", "next": "/panel/usage"})
        assert (answer.status, answer.location) == (303, "/panel/usage")
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert ("secure" in cookie) is secure
        assert 'lang="tr"' in (await owner.get("/panel/usage")).text


async def test_a_form_without_its_proof_changes_nothing(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, other = await here.person(), await here.person("manager")
        for proof in ("", "x" * 43, await other.csrf()):
            answer = await owner.post("/panel/language", {"language": "tr"}, csrf=proof)
            assert answer.status == 403
            assert "nothing was changed" in answer.words
        assert 'lang="en"' in (await owner.get("/panel/")).text


async def test_who_tries_too_often_is_told_how_long_to_wait(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        for _ in range(8):
            try:
                here.running.api.people.entrance._throttle.begin_sign_in("ada@example.com", "127.0.0.1")
            except TooMany:
                break
        guest = Person(here.running, "")
        front = await guest.get("/panel/sign-in")
        token = next(one.partition("=")[2] for one in front.cookies if one.startswith(GUEST))
        proof = re.search(r'data-csrf="([^"]+)"', front.text)
        assert proof is not None
        fields = {"email": "ada@example.com", "password": "x", "csrf": proof[1]}
        answer = await guest._ask("POST", "/panel/sign-in", urlencode(fields).encode(),
                                  {"cookie": f"{GUEST}={token}", "content-type": FORM})  # fmt: skip
        assert answer.status == 429
        assert f"Wait {answer.headers['retry-after']} s and try again." in answer.words


async def test_a_redirect_never_leaves_the_panel(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        for target in ("https://evil.example", "//evil.example", "/panel\\evil", "javascript:x", "/panel\nx"):
            assert not is_own_address(target) or target.startswith("/panel/")
            answer = await owner.post("/panel/language", {"language": "en", "next": target})
            assert answer.location == "/panel/"


async def test_each_role_finds_its_places_and_is_told_where_it_may_not_go(database_url: str, tmp_path: Path) -> None:
    floor = {"board", "kitchen", "orders", "menu", "tables", "venue", "printers", "couriers"}
    expected = {
        "owner": {
            "home", "inbox", "contacts", "lines", "templates", "network", "keys", "usage", "requests", "team", "audit", "security", "sales",
            "payments", "bills", "till", "notices", "stores", "loyalty", "segments", "campaigns", "automations", *floor,
        },
        "manager": {"home", "inbox", "contacts", "lines", "templates", "network", "usage", "security", "sales", "payments", "bills", "till", "notices", "stores", "loyalty", "segments", "campaigns", "automations", *floor},
        "developer": {"home", "inbox", "contacts", "lines", "templates", "network", "keys", "usage", "requests", "security", "notices", "stores"},
        "staff": {"home", "inbox", "contacts", "security", "payments", "bills", "till", "loyalty", *floor},
        "kitchen": {"home", "security", *floor},
    }  # fmt: skip
    async with house(database_url, tmp_path) as here:
        for role, wanted in expected.items():
            person = await here.person(role)
            front = await person.get("/panel/")
            if front.status == 303:
                # Whose work is one page is led there.
                front = await person.get(front.location)
            assert front.status == 200
            rail = front.text.partition('class="rail"')[2].partition("</nav>")[0]
            shown = {path.rstrip("/").rpartition("/")[2] for path in re.findall(r'<li><a href="(/panel[^"]*)"', rail)}
            shown = {"home" if name == "panel" else name for name in shown}
            assert wanted <= shown, role
            assert shown - wanted <= {"keys"}, role
            for path in PLACES:
                name = path.rstrip("/").rpartition("/")[2]
                page = await person.get(path)
                if name in shown or name == "panel":
                    # Who may not see a place's first page is led to its next one.
                    assert page.status == 200 or page.location.startswith("/panel/"), (role, path)
                else:
                    assert page.status == 403, (role, path)


async def test_api_and_integrations_stand_under_account_and_team(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        for language, group, place in (
            ("en", "Account and team", "API and integrations"),
            ("tr", "Hesap ve ekip", "API ve entegrasyon"),
        ):
            owner = await here.person(language=language)
            for path in ("/panel/keys", "/panel/webhooks", "/panel/samples"):
                page = (await owner.get(path)).text
                rail = page.partition('class="rail"')[2].partition("</nav>")[0]
                below = rail.partition(group)[2].partition("</ul>")[0]
                (entry,) = re.findall(r'<li><a href="/panel/keys"[^>]*>.*?</a>', below, re.DOTALL)
                assert place in entry
                assert 'aria-current="page"' in entry


async def test_an_address_that_leads_nowhere_says_so_in_the_visitors_language(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        page = await (await here.person(language="tr")).get("/panel/nothing/here")
        assert page.status == 404
        assert "Burada bir şey yok" in page.words
        assert "aria-current" not in page.text.partition('class="rail"')[2].partition("rail-foot")[0]


async def test_files_are_named_by_their_content_compressed_and_kept_for_ever(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        address = re.search(r'href="(/panel/static/[^"]+/frame\.css)"', (await owner.get("/panel/")).text)
        assert address is not None
        plain = await owner.get(address[1])
        assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
        again = await owner.get(address[1], **{"if-none-match": plain.headers["etag"]})
        assert (again.status, again.text) == (304, "")
        old = await owner.get("/panel/static/0000/frame.css")
        assert (old.text, old.headers["cache-control"]) == (plain.text, "no-cache")
        for name in ("nothing.css", "..%2fframe.css", "../app.py"):
            assert (await owner.get(f"/panel/static/0000/{name}")).status == 404


async def test_a_part_of_a_page_is_only_that_part(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        part = await owner.get("/panel/?part=now")
        assert part.status == 200
        assert "<html" not in part.text
        assert part.text in (await owner.get("/panel/")).text or "stats" in part.text
        for name in ("title", "content", "nothing", "part_now", "__init__"):
            assert (await owner.get(f"/panel/?part={name}")).status == 404


async def test_an_open_page_hears_of_a_change_within_a_second(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        live = here.running.api.live

        async def allowed() -> bool:
            return (await here.running.api.people.sessions.find(owner.token)) is not None

        stream = await live.open(1, allowed)
        async with asyncio.timeout(30):
            assert b"ready" in await anext(stream)
            live.notice(2, "deliveries", ["foreign"])
            live.notice(1, "deliveries", ["one", "two"])
            heard = await anext(stream)
            assert heard == b'event: change\ndata: {"topic":"deliveries","ids":["one","two"]}\n\n'
            await here.running.api.people.sessions.close(owner.token)
            assert b"ended" in await anext(stream)
            assert [one async for one in stream] == []
        assert live.listening == 0


def test_what_is_packed_is_what_is_served() -> None:
    from tablegram.panel.assets import SHELF

    for name, asset in SHELF.files.items():
        assert gzip.decompress(asset.packed) == asset.content, name
        assert asset.mime_type.startswith(("text/", "image/"))


async def test_in_a_suspended_account_pages_say_so_and_whom_to_ask(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, turk = await here.person(), await here.person("staff", language="tr")
        await Accounts(here.running.api.db, here.running.api.clock).suspend(1)
        page = await owner.get("/panel/contacts")
        assert page.status == 403
        assert "Ask whoever runs this installation to resume it" in page.words
        assert page.text.count("<h1>This account is suspended</h1>") == 1
        assert page.words.count("This account is suspended") == 2  # the title of the window and the heading
        assert "Not for your role" not in page.words
        assert "kurulumu yöneten kişiden isteyin" in (await turk.get("/panel/requests")).words
        told = await owner.get("/panel/contacts", accept="application/json")
        assert '"account_suspended"' in told.text


async def test_costs_and_webhook_addresses_are_shown_to_who_manages_them(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        manager, waiter = await here.person("manager"), await here.person("staff")
        managers, waiters = await manager.get("/panel/"), await waiter.get("/panel/")
        for sign in ('href="/panel/usage"', "Cost", "Webhooks"):
            assert sign in managers.text, sign
            assert sign not in waiters.text, sign
        assert "Lines" in waiters.words
        assert (await waiter.get("/panel/usage")).status == (await waiter.get("/panel/usage/export")).status == 403
