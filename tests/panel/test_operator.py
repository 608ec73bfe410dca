"""The operator's pages: only for operators, once for each payment, and never by a slip of the finger."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.errors import Gone
from tests.panel.visiting import House, Person, house

ACTS = ("plan", "top-up", "suspend", "resume", "invite")


async def operator(here: House) -> Person:
    person = await here.person("owner")
    people = here.running.api.people
    await people.register.set_operator("owner.1.en@example.com", True)
    found = await people.sessions.find(person.token)
    assert found is not None
    people.sessions.forget(found.person.id)
    return person


async def test_nobody_but_an_operator_sees_or_does_anything_there(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        for role in ("owner", "manager", "developer", "staff", "kitchen"):
            person = await here.person(role)
            for path in ("", "/accounts/2", "/health", "/plans", "/plans/edit?name=standard"):
                assert (await person.get(f"/panel/operator{path}")).status == 403, (role, path)
            fields = {"plan": "standard", "amount": "5", "reference": "r", "confirm": "two", "name": "three"}
            for act in ACTS:
                assert (await person.post(f"/panel/operator/accounts/2/{act}", fields)).status == 403, (role, act)
            for path in ("accounts", "plans", "plans/edit"):
                assert (await person.post(f"/panel/operator/{path}", fields)).status == 403
        accounts = await Accounts(here.running.api.db, here.running.api.clock).list_accounts()
        assert [(one.name, one.state, one.balance_micros) for one in accounts] == [
            ("one", "active", 0),
            ("two", "active", 0),
        ]


async def test_a_payment_is_added_once_and_a_wrong_one_is_told_beside_its_field(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        boss = await operator(here)
        address = "/panel/operator/accounts/2/top-up"
        done = await boss.post(address, {"amount": "12,50", "reference": "invoice 7"})
        assert (done.status, done.location) == (303, "/panel/operator/accounts/2")
        again = await boss.post(address, {"amount": "12,50", "reference": "invoice 7"})
        assert again.status == 409
        assert "$12.50" in (await boss.get("/panel/operator/accounts/2")).words
        for amount in ("", "-3", "a lot", "1e99", "nan"):
            wrong = await boss.post(address, {"amount": amount, "reference": f"r{amount}"})
            assert wrong.status == 422, amount
            assert 'id="amount-error"' in wrong.text
        for reference in ("", "x" * 101):
            wrong = await boss.post(address, {"amount": "5", "reference": reference})
            assert (wrong.status, 'id="reference-error"' in wrong.text) == (422, True)
        log = await here.running.ask("GET", "/audit", account=2)
        assert [entry["action"] for entry in log.json()["data"]].count("account.topped_up") == 1


async def test_suspending_takes_the_accounts_name_and_acts_at_once(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        boss = await operator(here)
        member = await here.person("owner", account=2)
        refused = await boss.post("/panel/operator/accounts/2/suspend", {"confirm": "one"})
        assert refused.status == 422
        assert (await here.running.ask("GET", "/me", account=2)).status == 200
        assert (await boss.post("/panel/operator/accounts/2/suspend", {"confirm": "two"})).status == 303
        reply = await here.running.ask("GET", "/me", account=2)
        assert (reply.status, reply.json()["code"]) == (401, "account_suspended")
        assert "This account is suspended" in (await member.get("/panel/security")).words
        assert (await member.get("/panel/inbox")).status == 403
        assert (await boss.post("/panel/operator/accounts/2/resume")).status == 303
        assert (await here.running.ask("GET", "/me", account=2)).status == 200


@pytest.mark.parametrize("act", ["delete", "..", "plans"])
async def test_an_act_that_does_not_exist_does_nothing(database_url: str, tmp_path: Path, act: str) -> None:
    async with house(database_url, tmp_path) as here:
        assert (await (await operator(here)).post(f"/panel/operator/accounts/2/{act}")).status in (404, 405)


async def test_accounts_are_opened_found_and_looked_after(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        boss = await operator(here)
        opened = await boss.post("/panel/operator/accounts", {"name": "Çınar Büfe", "plan": "standard"})
        assert opened.location == "/panel/operator/accounts/3"
        assert (await boss.post("/panel/operator/accounts", {"name": "Çınar Büfe"})).status == 409
        found = await boss.get("/panel/operator?q=cinar")
        assert "Çınar Büfe" in found.words
        assert ">two<" not in found.text
        health = await boss.get("/panel/operator/health")
        assert "Storage and engine answer" in health.words
        assert (await boss.get("/panel/operator/accounts/99")).status == 404


async def test_the_owner_of_a_new_account_is_invited_and_comes_in(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        boss = await operator(here)
        typed = {"name": "Blue Door", "plan": "standard", "email": "Ada@Example.com", "owner_name": "Ada"}
        form = (await boss.get("/panel/operator")).text
        typed["once"] = re.findall(r'name="once" value="(\w+)"', form)[0]
        opened = await boss.post("/panel/operator/accounts", typed)
        again = await boss.post("/panel/operator/accounts", typed)
        (link,) = set(re.findall(r"/panel/link/([\w-]+)", opened.text))
        assert (opened.status, set(re.findall(r"/panel/link/([\w-]+)", again.text))) == (200, {link})
        people = here.running.api.people
        found = await people.links.look(link)
        assert (found.email, found.account_id, found.role) == ("ada@example.com", 3, "owner")
        # A second link ends the first one.
        fresh = await boss.post("/panel/operator/accounts/3/invite", {"email": "ada@example.com"})
        (second,) = set(re.findall(r"/panel/link/([\w-]+)", fresh.text))
        with pytest.raises(Gone):
            await people.links.look(link)
        stranger = Person(here.running, "")
        assert "Blue Door" in (await stranger.get(f"/panel/link/{second}")).words
        wrong = await boss.post("/panel/operator/accounts/3/invite", {"email": "nobody"})
        assert (wrong.status, 'id="email-error"' in wrong.text) == (422, True)
        # Somebody signs in to the second account: its people are its owners' business.
        await here.person("owner", account=2)
        assert "Invite the owner" not in (await boss.get("/panel/operator/accounts/2")).words
        late = await boss.post("/panel/operator/accounts/2/invite", {"email": "eve@example.com"})
        assert late.status == 409


async def test_plans_are_shown_made_and_changed(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as here:
        boss = await operator(here)
        page = (await boss.get("/panel/operator/plans")).words
        assert all(words in page for words in ("standard", "250", "72", "TABLEGRAM_BILLING=prepaid"))
        made = {"plan": "Büyük/1", "free_messages": "5000", "free_hours": "24"}
        assert (await boss.post("/panel/operator/plans", made)).location == "/panel/operator/plans"
        assert (await boss.post("/panel/operator/plans", made)).status == 409
        for field, value in (("free_messages", "1.5"), ("free_messages", "-1"), ("free_hours", "")):
            wrong = await boss.post("/panel/operator/plans", {**made, "plan": "x", field: value})
            assert (wrong.status, f'id="{field}-error"' in wrong.text) == (422, True)
            assert ("Write a whole number" in wrong.words) is (value != "-1")
        (link,) = re.findall(
            r'href="(/panel/operator/plans/edit\?name=B[^"]+)"', (await boss.get("/panel/operator/plans")).text
        )
        assert 'value="5000"' in (await boss.get(link)).text
        changed = {"name": "Büyük/1", "free_messages": "6000", "free_hours": "24"}
        assert (await boss.post("/panel/operator/plans/edit", changed)).status == 303
        plans = await Accounts(here.running.api.db, here.running.api.clock).list_plans()
        assert [(one.name, one.free_messages) for one in plans] == [("Büyük/1", 6000), ("standard", 250)]
        assert (await boss.get("/panel/operator/plans/edit?name=none")).status == 404
        moved = await boss.post("/panel/operator/accounts/2/plan", {"plan": "Büyük/1"})
        assert moved.status == 303
        assert (await boss.post("/panel/operator/accounts/2/plan", {"plan": "none"})).status == 422
