"""The operator's pages: only for operators, once for each payment, and never by a slip of the finger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablegram.accounts.accounts import Accounts
from tests.panel.visiting import House, Person, house

ACTS = ("plan", "top-up", "suspend", "resume")


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
            for path in ("/panel/operator", "/panel/operator/accounts/2", "/panel/operator/health"):
                assert (await person.get(path)).status == 403, (role, path)
            fields = {"plan": "standard", "amount": "5", "reference": "r", "confirm": "two", "name": "three"}
            for act in ACTS:
                assert (await person.post(f"/panel/operator/accounts/2/{act}", fields)).status == 403, (role, act)
            assert (await person.post("/panel/operator/accounts", fields)).status == 403
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
