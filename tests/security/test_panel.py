"""The panel's pages against people who should not see them: other roles, other accounts, and what strangers wrote."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tablegram import panel
from tablegram.accounts.accounts import Accounts
from tablegram.accounts.roles import SCOPES
from tablegram.accounts.scopes import covers
from tablegram.messaging.ports import NetworkTemplate
from tablegram.messaging.store import templates
from tablegram.messaging.templates.keeping import row_of
from tablegram.panel.app import POLICY
from tablegram.panel.live import hears
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import audit_log, request_log
from tablegram.values import Json
from tests.drained import drain_once
from tests.opened_product import PAGES as EVERY_PAGE
from tests.panel.test_people import POSTS, Browser, come_in, filled
from tests.panel.visiting import House, Person, house

PAGES = {path: handler.opt for handler in EVERY_PAGE if "GET" in handler.http_methods for path in handler.paths}
PUBLIC = {"/sign-in", "/sign-in/second", "/forgot", "/link/{token:str}"}
# A person's own, or each page looks itself: keys and requests are for two scopes, home shows what the role may see.
WITHOUT_SCOPE = {"/", "/find", "/live", "/security", "/security/second-factor", "/{rest:path}"}
EITHER = {
    "/keys": ("keys:manage", "webhooks:manage"),
    "/requests": ("keys:manage", "account:manage"),
    "/requests/{request_id:str}": ("keys:manage", "account:manage"),
}
EVIL = "<img src=x onerror=alert(1)>\"'&{{7*7}}"
# They do not end by themselves, or only when the browser has gone.
STREAMS = ("/live", "/contacts/export", "/contacts/consents/export", "/files/{media_id:str}")
TEMPLATES = Path(panel.__file__ or "").parent / "templates"
LIVE = re.compile('data-live="([a-z_ ]+)"')
NOWHERE = "http://127.0.0.1:9"


async def made(one: House, path: str, body: Any, account: int = 1) -> Any:
    answer = await one.running.ask("POST", path, body, account=account)
    assert answer.status in (200, 201, 202), (path, answer.body)
    return answer.json()


async def furnish(one: House) -> dict[str, str]:
    """Something of every kind in the first account, named as strangers would name it; ids by the routes' names."""
    line = (await made(one, "/instances", {"kind": "sandbox", "name": EVIL[:80]}))["id"]
    endpoint = (await made(one, "/webhooks", {"url": f"{NOWHERE}/?a=%3Cimg", "events": ["*"], "description": EVIL}))[
        "id"
    ]
    contact = {"phone": "905551112233", "name": EVIL, "notes": EVIL, "tags": [EVIL[:60]]}
    rows = f'phone,name\n"{EVIL.replace(chr(34), chr(34) * 2)}",x\n905551119999,"=1+1"\n'
    replies = {"kind": "keyword", "message": EVIL, "keywords": ["menu"]}
    words = EVIL.partition("{{")[0]
    steps = [
        {"do": "notify", "text": words},
        {"do": "feedback", "text": words},
        {"do": "coupon", "name": EVIL[:80], "percent": 5},
    ]
    flow = {"name": EVIL[:100], "trigger": {"on": "tag_added", "tag": EVIL[:60]}, "steps": steps}
    request = await one.running.ask("GET", "/messages/none")
    return {
        "line_id": str(line),
        "endpoint_id": endpoint,
        "delivery_id": (await made(one, f"/webhooks/{endpoint}/test", None))["id"],
        "contact_id": (await made(one, "/contacts", contact))["id"],
        "import_id": (await made(one, "/contacts/import", {"csv": rows}))["id"],
        "key_id": (await made(one, "/keys", {"name": EVIL[:60], "scopes": ["messages:read"]}))["id"],
        "member_id": (await made(one, "/team", {"email": "w@example.com", "role": "staff", "name": EVIL[:60]}))["id"],
        "canned": (await made(one, "/canned-replies", {"shortcut": "hi", "text": EVIL}))["id"],
        "reply_id": (await made(one, f"/instances/{line}/auto-replies", replies))["id"],
        "media_id": "x",
        "request_id": request.headers["x-request-id"],
        "account_id": "1",
        **await furnish_restaurant(one),
        **await furnish_shops(one),
        **await furnish_template(one, line),
        "automation_id": (await made(one, "/automations", flow))["id"],
        "run_id": "x",
        "segment_id": (await made(one, "/segments", {"name": EVIL[:80], "rules": {"rule": "tag", "is": EVIL[:60]}}))[
            "id"
        ],
    }


async def furnish_template(one: House, line: int) -> dict[str, str]:
    """What a network may say of a template."""
    body: Json = {"type": "BODY", "text": EVIL, "example": {"body_text": [[EVIL]]}}
    buttons: Json = {"type": "BUTTONS", "buttons": [{"type": "URL", "text": EVIL, "url": EVIL}]}
    told = NetworkTemplate("offer", "en", "REJECTED", EVIL, [body, buttons], "1", EVIL, EVIL)
    row = row_of(1, line, told, 0)
    await one.running.api.db.put((templates.KEEP, row))
    return {"template_id": str(row["id"])}


async def furnish_restaurant(one: House) -> dict[str, str]:
    """A venue with one of everything."""
    fields = {"name": EVIL, "currency": "TRY", "time_zone": "Europe/Istanbul"}
    venue = (await made(one, "/restaurant/venues", fields))["id"]
    place = f"/restaurant/venues/{venue}"
    waiter = (await made(one, f"{place}/waiters", {"name": EVIL}))["id"]
    table = (await made(one, f"{place}/tables", {"label": "12"}))["id"]
    category = (await made(one, f"{place}/menu/categories", {"name": EVIL}))["id"]
    group = (await made(one, f"{place}/menu/option-groups", {"name": EVIL, "options": [{"name": EVIL}]}))["id"]
    item = {"category_id": category, "name": EVIL, "price": 10, "option_group_ids": [group]}
    item_id = (await made(one, f"{place}/menu/items", item))["id"]
    order = {"venue_id": venue, "order_type": "dine_in", "table_id": table, "lines": [{"item_id": item_id}]}
    return {
        "venue_id": venue,
        "waiter_id": waiter,
        "station": "kitchen",
        "section_id": (await made(one, f"{place}/sections", {"name": EVIL}))["id"],
        "table_id": table,
        "category_id": category,
        "group_id": group,
        "item_id": item_id,
        "order_id": (await made(one, "/orders", order))["order_id"],
        **await furnish_paper(one, venue),
        **await furnish_money(one),
    }


async def furnish_paper(one: House, venue: str) -> dict[str, str]:
    """A printer, and a page that waits for it."""
    fields = {"name": EVIL[:60], "kind": "cloudprnt", "venue_id": venue, "stations": ["kitchen"]}
    printer = (await made(one, "/restaurant/printers", fields))["id"]
    return {"printer_id": printer, "ticket_id": (await made(one, f"/restaurant/printers/{printer}/test", None))["id"]}


async def furnish_money(one: House) -> dict[str, str]:
    """A provider, and a link that can be paid."""
    keys = {"secret": "whsec_" + "c2VjcmV0LW9mLW9uZXMtb3duLXByb3ZpZGVyLTE=", "pay_url": "https://pay.example/{link_id}"}
    provider = (await made(one, "/payment-providers", {"provider": "generic", "keys": keys, "mode": "test"}))["id"]
    link = {"amount": 10, "currency": "TRY", "description": EVIL}
    return {"provider_id": provider, "link_id": (await made(one, "/payment-links", link))["id"]}


async def furnish_shops(one: House) -> dict[str, str]:
    """A form that has delivered what somebody wrote into it."""
    source = (await made(one, "/stores/sources", {"platform": "form", "name": EVIL[:90]}))["id"]
    await made(one, f"/stores/sources/{source}/test", {"phone": "905551112233"})
    await drain_once(one.running.api.inbox)
    listed = (await one.running.ask("GET", "/stores/deliveries")).json()["data"]
    return {"source_id": source, "store_delivery_id": listed[0]["id"], "place": "0"}


def with_ids(path: str, ids: dict[str, str]) -> str:
    named = {**ids, "reply_id": ids["canned"]} if path.startswith("/inbox/replies/") else ids
    return "/panel" + re.sub(r"\{(\w+):\w+\}", lambda place: named.get(place[1], "x"), path)


def allowed(path: str, opt: dict[str, Any], held: frozenset[str]) -> bool:
    scopes = EITHER.get(path) or ((opt["scope"],) if opt.get("scope") else ())
    return not scopes or any(scope != "operator" and covers(held, frozenset({scope})) for scope in scopes)


def test_every_page_is_public_personal_or_names_what_it_needs() -> None:
    assert {path for path, opt in PAGES.items() if opt.get("public")} == PUBLIC
    unnamed = {path for path, opt in PAGES.items() if not opt.get("scope") and not opt.get("public")}
    assert unnamed == WITHOUT_SCOPE | set(EITHER)


async def test_every_role_sees_its_pages_and_no_others_and_strangers_none(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ids = await furnish(one)
        stranger = Person(one.running, "")
        pages = [(path, opt) for path, opt in PAGES.items() if not opt.get("public") and path not in STREAMS]
        for path, _ in pages:
            answer = await stranger.get(with_ids(path, ids))
            assert (answer.status, answer.location.partition("?")[0]) == (303, "/panel/sign-in"), path
        for role, held in SCOPES.items():
            person = await one.person(role)
            for path, opt in pages:
                answer = await person.get(with_ids(path, ids))
                assert (answer.status == 403) != allowed(path, opt, held), (role, path, answer.status)
                assert answer.status < 500, (role, path)


async def test_another_accounts_things_are_nowhere(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ids = await furnish(one)
        other = await one.person("owner", account=2)
        proof = await other.csrf()
        lists = ("/instances", "/webhooks", "/contacts", "/keys", "/team", "/canned-replies", "/contacts/imports",
                 "/restaurant/venues", "/orders")  # fmt: skip
        before = [(await one.running.ask("GET", path)).json()["data"] for path in lists]
        for path, opt in [*PAGES.items(), *POSTS.items()]:
            if "{" not in path or opt.get("public") or path in ("/{rest:path}", "/link/{token:str}/join"):
                continue
            target = with_ids(path, ids)
            words = {"confirm": EVIL, "text": "x", "act": "delete", "role": "owner", "kind": "greeting", "message": "x"}
            typed = {**words, "cooldown_s": "30", "url": NOWHERE, "reach": "all", "since": "2020-01-01T00:00"}
            answers = [await other.get(target)] if path in PAGES else []
            answers += [await other.post(target, typed, csrf=proof)] if path in POSTS else []
            for answer in answers:
                expected = (403,) if opt.get("scope") == "operator" else (404, 422)
                assert answer.status in expected, (path, answer.status)
                assert "onerror" not in answer.words.replace(EVIL, ""), path
        after = [(await one.running.ask("GET", path)).json()["data"] for path in lists]
        for record in (*before[3], *after[3]):
            record.pop("last_used_at")
        for record in (*before[8], *after[8]):
            del record["age_s"], record["late_s"]
        assert after == before


async def test_what_strangers_wrote_is_shown_as_text_and_nothing_is_inline(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ids = await furnish(one)
        owner = await one.person()
        await one.running.api.people.register.set_operator("owner.1.en@example.com", True)
        seen = 0
        for path, opt in PAGES.items():
            if path in (*STREAMS, "/usage/export"):
                continue
            browser = owner if not opt.get("public") else Person(one.running, "")
            page = await browser.get(with_ids(path, ids))
            assert page.status in (200, 303, 404), (path, page.status)
            if "text/html" not in page.headers.get("content-type", ""):
                # A file to keep, which no browser takes for a page.
                assert page.headers["x-content-type-options"] == "nosniff", path
                continue
            assert "<img src=x" not in page.text, path
            seen += "&lt;img src=x onerror" in page.text
            scripts = re.findall(r"<script([^>]*)>", page.text)
            assert all("src=" in one or 'type="application/json"' in one for one in scripts), path
            tags = re.findall(r"<[a-z][^>]*>", re.sub(r'"[^"]*"', '""', page.text))
            assert not [tag for tag in tags if re.search(r"\s(on\w+|style)=", tag)], path
            assert "javascript:" not in page.text, path
            assert page.headers["content-security-policy"] == POLICY
            assert page.headers["cache-control"] == "no-store", path
            assert page.headers["x-content-type-options"] == "nosniff"
        assert seen >= 10
        assert "'unsafe" not in POLICY


async def test_who_is_demoted_removed_or_suspended_does_nothing_more(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, developer, staff = [await one.person(role) for role in ("owner", "developer", "staff")]
        team = {member["email"]: member["id"] for member in (await one.running.ask("GET", "/team")).json()["data"]}
        proofs = {person.token: await person.csrf() for person in (owner, developer, staff)}
        assert (await developer.get("/panel/keys")).status == 200
        who = team["developer.1.en@example.com"]
        changed = await owner.post(f"/panel/team/{who}/role", {"role": "kitchen"}, csrf=proofs[owner.token])
        assert changed.status == 303
        refused = await developer.post(
            "/panel/keys", {"name": "mine", "reach": "all", "mode": "live"}, csrf=proofs[developer.token]
        )
        assert refused.status == 403
        who = team["staff.1.en@example.com"]
        gone = {"confirm": "staff.1.en@example.com"}
        assert (await owner.post(f"/panel/team/{who}/remove", gone, csrf=proofs[owner.token])).status == 303
        assert (await staff.get("/panel/inbox")).location.startswith("/panel/sign-in")
        await one.running.api.people.sessions.settle()
        keys = (await one.running.ask("GET", "/keys")).json()["data"]
        assert len(keys) == 1
        await one.running.ask("GET", "/me")
        await Accounts(one.running.api.db, one.running.api.clock).suspend(1)
        one.running.api.people.sessions.forget_account(1)
        for path, opt in PAGES.items():
            if opt.get("scope"):
                assert (await owner.get(filled(path))).status == 403, path
        for path, opt in POSTS.items():
            if opt.get("scope"):
                assert (await owner.post(filled(path), csrf=proofs[owner.token])).status == 403, path


@pytest.mark.parametrize(("public_url", "secure"), [("https://panel.example.com", True), ("", False)])
async def test_cookies_are_for_tls_alone_where_people_come_by_tls(
    database_url: str, tmp_path: Path, public_url: str, secure: bool
) -> None:
    async with house(database_url, tmp_path, public_url=public_url) as one:
        answer = await Person(one.running, "").get("/panel/sign-in", **{"x-forwarded-proto": "https"})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        # Who is no trusted proxy is not believed.
        assert ("secure" in cookie) == secure


async def test_no_log_and_no_link_tells_a_secret_or_believes_the_host(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(database_url, tmp_path, public_url="https://panel.example.com") as one:
        browser = Browser(one)
        await come_in(one, browser)
        shown = await browser.ask("GET", "/panel/team/new", host="evil.example")
        assert "evil.example" not in shown.text
        mark = {"once": "a" * 20}
        invited = await browser.submit("/panel/team", "/panel/", email="w@example.com", role="staff", name="", **mark)
        assert "/panel/link/" not in invited.text
        link = await one.running.api.people.links.make("invite", "w@example.com", by="test", account_id=1, role="staff")
        assert link.startswith("https://panel.example.com/panel/link/")
        key = re.search(r"tg_live_\w+", (await browser.submit(
            "/panel/keys", "/panel/", name="mine", mode="live", reach="all", **mark
        )).text)  # fmt: skip
        endpoint = await browser.submit("/panel/webhooks", "/panel/", url="https://example.com/h", reach="all", **mark)
        secret = re.search(r"whsec_[\w+/=]+", endpoint.text)
        offered = await browser.get("/panel/security/second-factor")
        ticket = re.search(r'name="ticket" value="([^"]+)"', offered.text)
        assert key
        assert secret
        assert ticket
        await one.running.ask("GET", "/me", key=key[0])
        await one.running.ask("POST", "/team", {"email": "v@example.com", "role": "staff"})
        kept = ""
        for table in (audit_log, request_log):
            rows = await one.running.api.db.all(across_accounts(select(table), "a test looks for secrets"))
            kept += repr([{column.name: row[column.name] for column in table.columns} for row in rows])
        assert "member.invited" in kept
        for told in (
            link.rpartition("/")[2],
            key[0],
            secret[0],
            "four words are enough",
            browser.jar["tablegram_session"],
        ):
            assert told not in kept
            assert told not in caplog.text


async def test_a_failure_tells_no_link_to_the_log_and_nothing_of_us_to_the_page(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url, tmp_path) as one:
        entrance = one.running.api.people.entrance

        async def fail(token: str) -> Any:
            raise RuntimeError("select secret from somewhere")

        monkeypatch.setattr(entrance, "look_at", fail)
        page = await Person(one.running, "").get("/panel/link/abcdefghijklmnopqrstuvwxyz")
        assert page.status == 500
        assert "select secret" not in page.text
        assert "RuntimeError" not in page.text
        assert "/panel/link/" in caplog.text
        assert "abcdefghijklmnopqrstuvwxyz" not in caplog.text


ODD_FORMS = (
    ("/panel/keys", {"name": "x", "expires_at": "9999-12-31"}),
    ("/panel/lines/{line_id}/replies", {"kind": "greeting", "message": "x", "cooldown_s": "000000300" + "9" * 5_000}),
    ("/panel/webhooks/{endpoint_id}/replay", {"since": "9999-12-31T23:59", "until": "0001-01-01T00:00"}),
    ("/panel/account", {"account": "9" * 15}),
    ("/panel/inbox/{contact_id}/state", {"act": "seen", "until": "9" * 5_000}),
)


async def test_what_nobody_types_is_refused_in_words(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        ids = await furnish(one)
        owner = await one.person()
        proof = await owner.csrf()
        for path, fields in ODD_FORMS:
            async with asyncio.timeout(30):
                answer = await owner.post(path.format(**ids), fields, csrf=proof)
            assert answer.status < 500, (path, answer.words)
        assert (await owner.get("/panel/usage?days=" + "9" * 4_400)).status == 200


async def test_notices_are_for_who_may_see_what_they_are_about(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        heard = {}
        listened_to = {
            topic
            for page in TEMPLATES.rglob("*.html")
            for topics in LIVE.findall(page.read_text())
            for topic in topics.split()
        }
        topics = {"messages", "conversations", "contacts", "lines", "deliveries", "orders", "unheard_of", *listened_to}
        for role in SCOPES:
            session = await one.running.api.people.sessions.find((await one.person(role)).token)
            assert session is not None
            heard[role] = {topic for topic in topics if hears(session.caller, topic)}
        assert heard["kitchen"] == {"orders", "menu", "printing"}
        assert heard["staff"] >= {"messages", "conversations", "contacts", "lines", "deliveries", "orders"}
        assert "unheard_of" in heard["owner"]
        # No page listens to something that only those hear who may do everything.
        assert listened_to <= set.union(*(heard[role] for role in SCOPES if "unheard_of" not in heard[role]))
