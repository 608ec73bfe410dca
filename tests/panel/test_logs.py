"""Usage, request log and audit log: the account's own, found by what a person knows, in words."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest

from tablegram.accounts.audit import Actor
from tablegram.accounts.keys.keys import KeyRing
from tablegram.errors import ScopeMissing
from tablegram.panel import i18n
from tests.accounts.opened import MovableClock
from tests.panel.visiting import house


async def test_a_call_is_found_by_its_id_status_key_and_address_and_told_in_words(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner, turk = await here.person(), await here.person(language="tr")
        bad = await here.running.ask("POST", "/messages/send", {"phone": "12", "message": "x"})
        await here.running.ask("GET", "/me")
        foreign = await here.running.ask("GET", "/me", account=2)
        await here.running.api._api.request_log.flush()
        request_id = bad.headers["x-request-id"]

        everything = (await owner.get("/panel/requests")).text
        assert request_id in everything
        assert foreign.headers["x-request-id"] not in everything
        for query in (f"q={request_id}", "q=phone_invalid", "q=messages/se", "status=4xx", "status=4xx&q=send"):
            page = (await owner.get(f"/panel/requests?{query}")).text
            assert request_id in page, query
            assert page.count("data-row-link") == 1, query
        for query in ("q=nothing", "status=5xx", "key=unknown", "q=%25", "q=_e"):
            empty = await owner.get(f"/panel/requests?{query}")
            assert empty.status == 200
            assert "No call matches" in empty.words, query

        sheet = await owner.get(f"/panel/requests/{request_id}?part=sheet")
        assert "<html" not in sheet.text
        assert "This cannot be a phone number" in sheet.words
        assert "Bu bir telefon numarası olamaz" in (await turk.get(f"/panel/requests/{request_id}")).words
        assert (await owner.get(f"/panel/requests/{foreign.headers['x-request-id']}")).status == 404


async def test_bodies_of_calls_are_kept_only_when_wanted_and_shown_only_to_who_runs_the_account(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner, developer = await here.person(), await here.person("developer")
        ask, log = here.running.ask, here.running.api._api.request_log

        async def call(phone: str = "905550009988") -> str:
            answer = await ask("POST", "/contacts", {"phone": phone, "name": "Nermin Abla"})
            await log.flush()
            return str(answer.headers["x-request-id"])

        unwanted = await call()
        assert "Nermin" not in (await owner.get(f"/panel/requests/{unwanted}")).words
        assert "keep bodies" in (await owner.get(f"/panel/requests/{unwanted}")).words
        # Who makes keys sees the calls, and neither the switch nor the bodies.
        assert (await developer.post("/panel/requests", {"keep": "1"})).status == 403
        assert (await owner.post("/panel/requests", {"keep": "1"})).status == 303
        wanted = await call("905550009977")
        page = (await owner.get(f"/panel/requests/{wanted}")).words
        assert page.count("Nermin Abla") == 2
        assert '"phone": "905550009977"' in page
        assert "Nermin" not in (await developer.get(f"/panel/requests/{wanted}")).words
        # What is answered by the framework, refused, or a secret.
        made = await ask("POST", "/keys", {"scopes": ["messages:read"], "name": "till"})
        refused = await ask("POST", "/messages/send", {"phone": "12", "message": "çay"})
        await log.flush()
        sheet = (await owner.get(f"/panel/requests/{made.headers['x-request-id']}?part=sheet")).words
        assert "till" in sheet
        assert made.json()["key"] not in sheet
        told = (await owner.get(f"/panel/requests/{refused.headers['x-request-id']}")).words
        assert "phone_invalid" in told
        assert "çay" in told
        # A person who is erased goes from there too, and others stay.
        contact = (await ask("GET", "/contacts?q=905550009977")).json()["data"][0]["id"]
        await log.flush()
        assert (await ask("DELETE", f"/contacts/{contact}")).status in (200, 204)
        await log.flush()
        assert "Nermin" not in (await owner.get(f"/panel/requests/{wanted}")).words
        assert "çay" in (await owner.get(f"/panel/requests/{refused.headers['x-request-id']}")).words
        # Switched off, what was kept is gone at once.
        await owner.post("/panel/requests", {})
        assert "çay" not in (await owner.get(f"/panel/requests/{refused.headers['x-request-id']}")).words
        assert "Bodies of API calls no longer kept" in (await owner.get("/panel/audit")).words


async def test_the_audit_log_tells_who_did_what_and_can_be_narrowed(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        key = (await here.running.ask("POST", "/keys", {"scopes": ["messages:read"], "name": "till"})).json()
        await here.running.ask("POST", "/keys", {"scopes": ["*"], "name": "foreign"}, account=2)
        page = await owner.get("/panel/audit")
        assert "API key created" in page.words
        assert "till" in page.words
        assert "foreign" not in page.words
        assert key["id"] in (await owner.get(f"/panel/audit?q={key['id']}")).text
        assert "Nothing matches" in (await owner.get("/panel/audit?action=line.")).words
        assert "API key created" in (await owner.get("/panel/audit?action=key.")).words


async def test_usage_shows_the_days_that_were_asked_for_and_says_when_they_make_no_sense(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        assert "Nothing was sent or received" in (await owner.get("/panel/usage?days=7")).words
        wrong = await owner.get("/panel/usage?since=2026-03-02&until=2026-03-01")
        assert wrong.status == 422
        assert "must not be before the first one" in wrong.words
        assert (await owner.get("/panel/usage?since=oops")).status == 422
        table = await owner.get("/panel/usage/export?since=2026-03-01&until=2026-03-02")
        assert table.headers["content-disposition"] == 'attachment; filename="usage-2026-03-01-2026-03-02.csv"'
        assert table.text.startswith("\ufeffday,instance_id,")


async def test_home_says_what_to_do_next_until_it_is_done(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        before = await owner.get("/panel/")
        assert "What to do next" in before.words
        assert '<a href="/panel/lines">Add a line</a>' in before.text
        await here.running.ask("POST", "/instances", {"kind": "sandbox", "name": "Till"})
        after = await owner.get("/panel/")
        assert "<s>Add a line</s>" in after.text
        assert "Till" in after.words


async def test_a_problem_is_told_exactly_in_english_and_in_turkish_words(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, turk = await here.person(), await here.person(language="tr")
        wrong = await here.running.ask("GET", "/messages?status=nothing")
        twice = {"phone": "905551112233", "name": "Ada"}
        await here.running.ask("POST", "/contacts", twice)
        await here.running.ask("POST", "/contacts", twice)
        await here.running.api._api.request_log.flush()
        assert wrong.json()["detail"] in (await owner.get("/panel/requests?q=messages")).words
        told = (await turk.get("/panel/requests?status=4xx")).words
        assert i18n.translate("tr", f"code.{wrong.json()['code']}") in told
        assert i18n.translate("tr", "problem.contact_exists") in told


async def test_the_audit_log_tells_its_details_in_turkish(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        turk = await here.person(language="tr")
        await here.running.ask("POST", "/keys", {"scopes": ["messages:read"], "name": "kasa", "mode": "test"})
        await here.running.ask("POST", "/team", {"email": "g@example.com", "role": "kitchen", "name": "Gül"})
        await here.running.ask("POST", "/instances", {"kind": "sandbox", "name": "Deneme"})
        told = (await turk.get("/panel/audit")).words
        for words in ("rol: Mutfak", "tür: Deneme ", "tür: Deneme hattı"):
            assert words in told, words
        for raw in ("kitchen", "sandbox", "True", "False"):
            assert raw not in told, raw


async def test_the_audit_log_names_what_it_is_about_and_is_searched_by_words(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, turk = await here.person(), await here.person(language="tr")
        people = []
        for number, name in enumerate(("Gone Guest", "Kept Guest")):
            body = {"phone": f"90555111220{number}", "name": name}
            people.append((await here.running.ask("POST", "/contacts", body)).json()["id"])
        await here.running.ask("POST", f"/contacts/{people[0]}/merge", {"into": people[1]})
        await here.running.ask("POST", "/keys", {"scopes": ["messages:read"], "name": "till"})
        await here.running.api.audit.note(
            Actor("command", "root", "root"), "account.changed", "account", 1, account_id=1
        )
        page = await owner.get("/panel/audit")
        assert "into: Kept Guest" in page.words
        assert 'data-part="rows" data-every="10"' in page.text
        assert "Command line" in page.words
        assert "Komut satırı" in (await turk.get("/panel/audit?part=rows")).words
        for person, words, found, others in (
            (owner, "merged", "Contacts merged", "API key created"),
            (turk, "birleştirildi", "Kept Guest", "till"),
            (owner, people[1], "Kept Guest", "API key created"),
        ):
            told = (await person.get(f"/panel/audit?{urlencode({'q': words})}")).words
            assert found in told, words
            assert others not in told, words
        assert "Nothing matches" in (await owner.get("/panel/audit?q=nobody")).words


async def test_the_audit_log_names_endpoints_venues_dishes_and_people(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, ask = await here.person(), here.running.ask
        endpoint = (await ask("POST", "/webhooks", {"url": "https://till.example/kept", "events": ["*"]})).json()["id"]
        gone = (await ask("POST", "/webhooks", {"url": "https://till.example/gone", "events": ["*"]})).json()["id"]
        await ask("POST", f"/webhooks/{endpoint}/rotate-secret")
        await ask("DELETE", f"/webhooks/{gone}")
        venue = (await ask("POST", "/restaurant/venues", {"name": "Blue Door", "currency": "TRY",
                           "time_zone": "Europe/Istanbul", "locale": "tr"})).json()["id"]  # fmt: skip
        menu = f"/restaurant/venues/{venue}"
        category = (await ask("POST", f"{menu}/menu/categories", {"name": "Drinks"})).json()["id"]
        dish = {"name": "Ayran", "price": 20, "category_id": category}
        item = (await ask("POST", f"{menu}/menu/items", dish)).json()["id"]
        await ask("POST", f"{menu}/menu/sold-out", {"ids": [item]})
        await ask("DELETE", f"{menu}/menu/items/{item}")
        waiter = (await ask("POST", f"{menu}/waiters", {"name": "Ece"})).json()["id"]
        await ask("DELETE", f"{menu}/waiters/{waiter}")
        told = (await owner.get("/panel/audit?action=webhook.")).words
        assert "Endpoint deleted address: https://till.example/gone" in told
        assert f"https://till.example/kept {endpoint}" in told
        told = (await owner.get("/panel/audit?action=menu.")).words
        assert "Menu item removed Blue Door name: Ayran" in told
        assert "Marked as sold out Blue Door names: Ayran" in told
        assert item not in told
        assert "Waiter removed Blue Door waiter: Ece" in (await owner.get("/panel/audit?action=venue.")).words


async def test_nobody_reads_the_audit_log_or_files_around_the_pages(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        for role in ("manager", "developer", "staff", "kitchen"):
            found = await here.running.api.people.sessions.find((await here.person(role)).token)
            assert found is not None
            with pytest.raises(ScopeMissing):
                await here.running.api.audit.read(found.caller, limit=1)
        panel = here.running.api._panel
        assert panel is not None
        assert found is not None
        # The kitchen reads no messages, and so no files.
        with pytest.raises(ScopeMissing):
            await panel.deps.files.library.open_for(found.caller, "m1")


async def test_calls_of_the_newest_key_have_its_name_however_many_there_were(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        developer, api = await here.person("developer"), here.running.api
        ring = KeyRing(api.db, api.box, api.clock, api.settings)
        for number in range(201):
            token = (await ring.create(1, name=f"till {number}", scopes=["*"])).token
        await here.running.ask("GET", "/contacts", key=token)
        await api._api.request_log.flush()
        assert "/contacts ● 200 till 200" in (await developer.get("/panel/requests?q=contacts")).words


async def test_what_a_person_did_is_found_by_the_name(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        owner, manager = await here.person(), await here.person("manager")
        await manager.post("/panel/contacts", {"phone": "905551112233", "name": "Added", "once": "m1"})
        told = await owner.get("/panel/audit?q=mana")
        assert "Added" in told.words
        assert "Nothing matches" in (await owner.get("/panel/audit?q=mana&action=key.")).words


async def test_open_logs_look_again_by_themselves_and_charts_have_their_tables(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person()
        await here.running.ask("GET", "/me")
        await here.running.api._api.request_log.flush()
        page, part = await owner.get("/panel/requests"), await owner.get("/panel/requests?part=rows")
        assert 'data-part="rows" data-every="10"' in page.text
        assert "/me" in part.words
        assert "<html" not in part.text
        assert 'data-part="rows" data-every="10"' in (await owner.get("/panel/keys")).text
        assert "Last used" in (await owner.get("/panel/keys?part=rows")).words
        home = (await owner.get("/panel/")).text
        assert home.count('<details class="chart-table" data-name="') == 2


async def test_usage_begins_with_the_accounts_first_day(database_url: str, tmp_path: Path) -> None:
    # No midnight comes in between.
    async with house(database_url, tmp_path, clock=MovableClock()) as here:
        owner = await here.person()
        page = await owner.get("/panel/usage?days=30")
        # The bars' description counts the days that are shown.
        assert page.text.count("Bars, one for each day, 1 in all") == 2
        assert 'aria-current="page">30 days' in page.text
