"""Usage, request log and audit log: the account's own, found by what a person knows, in words."""

from __future__ import annotations

from pathlib import Path

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
            page = await owner.get(f"/panel/requests?{query}")
            assert page.status == 200
            assert "No call matches" in page.words, query

        sheet = await owner.get(f"/panel/requests/{request_id}?part=sheet")
        assert "<html" not in sheet.text
        assert "This cannot be a phone number" in sheet.words
        assert "Bu bir telefon numarası olamaz" in (await turk.get(f"/panel/requests/{request_id}")).words
        assert (await owner.get(f"/panel/requests/{foreign.headers['x-request-id']}")).status == 404


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
        assert '<a href="/panel/lines">Add an instance</a>' in before.text
        await here.running.ask("POST", "/instances", {"kind": "sandbox", "name": "Till"})
        after = await owner.get("/panel/")
        assert "<s>Add an instance</s>" in after.text
        assert "Till" in after.words
