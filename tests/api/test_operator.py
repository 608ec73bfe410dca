"""What an operator's key does over the API: accounts, plans, balances, health; each act once, and noted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.people import store as people_store
from tablegram.accounts.team import Team
from tablegram.storage.database import sqlite_path
from tests.api.asking import Reply
from tests.api.product_in_process import Running, product

# Statements that no flow runs: lists, sums and photos that this edge alone asks for.
pytestmark = pytest.mark.later

OWNER = {"email": "ada@example.com", "name": "Ada"}


@dataclass
class Office:
    """The product, and a key of its operator, which belongs to the first account."""

    running: Running
    key: str

    async def ask(self, method: str, path: str, body: Any = None, *, status: int = 200, **headers: str) -> Any:
        """An answer that fits the document, whatever it is."""
        reply = await self.reply(method, path, body, **headers)
        assert reply.status == status, reply.body
        if status < 300:
            self._check(method, path, reply)
        return reply.json()

    async def reply(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.running.ask(method, f"/operator{path}", body, key=self.key, headers=named)

    async def log(self, account: int) -> list[tuple[str, str, bool]]:
        """What the account's own log says was done to it, oldest first: the action, who did it, and as what."""
        entries = (await self.running.ask("GET", "/audit?limit=200", account=account)).json()["data"]
        return [(one["action"], one["actor"]["kind"], one["detail"].get("operator", False)) for one in entries[::-1]]

    def _check(self, method: str, path: str, reply: Reply) -> None:
        parts = f"/operator{path}".partition("?")[0].split("/")
        known = next(one for one in _document["paths"] if _is(one.split("/"), parts))
        _checker(method.lower(), known, str(reply.status)).validate(reply.json())


# The document of the first product is that of all; to build it, and a judge of it, takes longer than a test.
_document: dict[str, Any] = {}


@cache
def _checker(method: str, path: str, status: str) -> Any:
    response = _document["paths"][path][method]["responses"][status]
    schema = {**response["content"]["application/json"]["schema"], "components": _document["components"]}
    return jsonschema_rs.Draft202012Validator(schema)


def _is(template: list[str], path: list[str]) -> bool:
    return len(template) == len(path) and all(a == b or a[:1] == "{" for a, b in zip(template, path, strict=True))


@asynccontextmanager
async def office(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Office]:
    async with product(database_url, folder, **settings) as running:
        api = running.api
        made = await KeyRing(api.db, api.box, api.clock, api.settings).create_for_operator(1, name="billing")
        if not _document:
            _document.update((await running.ask("GET", "/openapi.json", key=None)).json())
        yield Office(running, made.token)


async def test_accounts_are_opened_found_and_shown(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path) as here:
        opened = await here.ask("POST", "/accounts", {"name": "Çınar Büfe"}, status=201)
        assert (opened["id"], opened["state"], opened["plan"], opened["owner"]) == (3, "active", "standard", None)
        page = await here.ask("GET", "/accounts?limit=2")
        assert [one["name"] for one in page["data"]] == ["one", "two"]
        rest = await here.ask("GET", f"/accounts?limit=2&cursor={page['next_cursor']}")
        assert ([one["name"] for one in rest["data"]], rest["next_cursor"]) == (["Çınar Büfe"], None)
        assert [one["id"] for one in (await here.ask("GET", "/accounts?q=cinar"))["data"]] == [3]
        assert (await here.ask("GET", "/accounts?state=suspended"))["data"] == []
        assert (await here.ask("GET", "/accounts/3"))["members"] == []
        assert (await here.ask("GET", "/accounts/99", status=404))["code"] == "account_not_found"
        again = await here.ask("POST", "/accounts", {"name": "Çınar Büfe"}, status=409)
        assert again["code"] == "account_exists"
        wrong = await here.ask("POST", "/accounts", {"name": "x", "plan": "gold"}, status=422)
        assert [(one["field"], one["code"]) for one in wrong["errors"]] == [("plan", "plan_not_found")]


async def test_the_owner_is_invited_with_the_account_and_again_until_somebody_has_come(
    database_url: str, tmp_path: Path
) -> None:
    async with office(database_url, tmp_path) as here:
        body = {"name": "Blue Door", "owner": OWNER}
        opened = await here.ask("POST", "/accounts", body, status=201, Idempotency_Key="open")
        again = await here.reply("POST", "/accounts", body, Idempotency_Key="open")
        assert (again.json(), again.headers["idempotent-replayed"]) == (opened, "true")
        links = here.running.api.people.links
        first = opened["owner"]["link"].rpartition("/")[2]
        found = await links.look(first)
        assert (found.email, found.account_id, found.role) == ("ada@example.com", opened["id"], "owner")
        fresh = await here.ask("POST", f"/accounts/{opened['id']}/invite", OWNER, status=201)
        assert fresh["owner"]["link"] != opened["owner"]["link"]
        shown = await here.ask("GET", f"/accounts/{opened['id']}")
        assert [(one["email"], one["role"], one["state"]) for one in shown["members"]] == [
            ("ada@example.com", "owner", "invited")
        ]
        people = here.running.api.people
        person = await people.register.create("ada@example.com", "Ada", "en")
        join = {"account": opened["id"], "which": "ada@example.com", "person": person.id, "name": "Ada"}
        await here.running.api.db.put((people_store.JOIN, join))
        for email in ("ada@example.com", "eve@example.com"):
            refused = await here.ask("POST", f"/accounts/{opened['id']}/invite", {"email": email}, status=409)
            assert refused["code"] == "account_has_people"
        assert len(await Team(here.running.api.db, here.running.api.clock).list_members(opened["id"])) == 1


async def test_an_account_that_cannot_be_opened_leaves_nothing_behind(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path) as here:
        await here.ask("POST", "/accounts", {"name": "two", "owner": OWNER}, status=409)
        assert await Team(here.running.api.db, here.running.api.clock).list_members(2) == []
        assert await here.log(2) == []


async def test_a_payment_is_added_once_however_often_it_is_sent(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path, billing="prepaid") as here:
        body = {"amount_usd": 12.5, "reference": "invoice 7"}
        path = "/accounts/2/top-up"
        replies = await asyncio.gather(*[here.reply("POST", path, body, Idempotency_Key="pay") for _ in range(8)])
        assert {reply.status for reply in replies} <= {200, 409}
        done = await here.ask("POST", path, body, Idempotency_Key="pay")
        assert (done["amount_usd"], done["balance_usd"]) == (12.5, 12.5)
        # The key is forgotten after a day, the payment never.
        assert (await here.ask("POST", path, body, status=409))["code"] == "payment_known"
        changed = await here.ask("POST", path, {**body, "amount_usd": 99}, status=422, Idempotency_Key="pay")
        assert changed["code"] == "idempotency_key_reused"
        for wrong in ({"amount_usd": 0}, {"amount_usd": -1}, {"amount_usd": 1e9}, {"reference": " "}):
            await here.ask("POST", path, {**body, **wrong}, status=422)
        shown = await here.ask("GET", "/accounts/2")
        assert (shown["balance_usd"], shown["billing"], shown["free_left"]) == (12.5, "prepaid", 250)
        assert (await here.running.ask("GET", "/me", account=2)).json()["quota"]["balance_usd"] == 12.5
        assert await here.log(2) == [("account.topped_up", "key", True)]
        await here.ask("POST", "/accounts/99/top-up", body, status=404)


async def test_suspending_acts_at_once_and_is_noted_where_it_was_done(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path) as here:
        assert (await here.running.ask("GET", "/me", account=2)).status == 200
        first = await here.ask("POST", "/accounts/2/suspend", Idempotency_Key="s")
        assert first["state"] == "suspended"
        assert (await here.running.ask("GET", "/me", account=2)).json()["code"] == "account_suspended"
        assert (await here.ask("POST", "/accounts/2/resume"))["state"] == "active"
        # The former call, sent again by a slow network, does not undo what came after it.
        assert await here.ask("POST", "/accounts/2/suspend", Idempotency_Key="s") == first
        assert (await here.running.ask("GET", "/me", account=2)).status == 200
        assert await here.log(2) == [("account.suspended", "key", True), ("account.resumed", "key", True)]
        # The account that this key belongs to would lock it out.
        assert (await here.ask("POST", "/accounts/1/suspend", status=409))["code"] == "own_account"
        assert (await here.running.ask("GET", "/me")).status == 200


async def test_plans_are_made_changed_and_given(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path, billing="prepaid") as here:
        plan = {"name": "starter", "free_messages": 1000, "free_hours": 720}
        assert await here.ask("POST", "/plans", plan, status=201, Idempotency_Key="p") == plan
        again = await here.reply("POST", "/plans", plan, Idempotency_Key="p")
        assert (again.json(), again.headers["idempotent-replayed"]) == (plan, "true")
        assert (await here.ask("POST", "/plans", plan, status=409))["code"] == "plan_exists"
        assert (await here.ask("PATCH", "/accounts/2", {"plan": "starter"}))["plan"] == "starter"
        assert (await here.running.ask("GET", "/me", account=2)).json()["quota"]["free_messages"] == 1000
        assert await here.ask("PATCH", "/plans/starter", {"free_messages": 7}) == {**plan, "free_messages": 7}
        assert (await here.running.ask("GET", "/me", account=2)).json()["quota"]["free_messages"] == 7
        assert (await here.ask("PATCH", "/plans/standard", {"free_hours": 1}))["free_hours"] == 1
        page = await here.ask("GET", "/plans?limit=1")
        rest = await here.ask("GET", f"/plans?cursor={page['next_cursor']}")
        assert [one["name"] for one in page["data"] + rest["data"]] == ["standard", "starter"]
        assert (await here.ask("PATCH", "/plans/gold", {"free_hours": 1}, status=404))["code"] == "plan_not_found"
        wrong = await here.ask("PATCH", "/accounts/2", {"plan": "gold"}, status=422)
        assert wrong["errors"][0]["code"] == "plan_not_found"
        assert await here.log(2) == [("account.plan_changed", "key", True)]


async def test_health_tells_of_engine_and_storage(database_url: str, tmp_path: Path) -> None:
    async with office(database_url, tmp_path) as here:
        health = await here.ask("GET", "/health")
        assert health["ready"] is True
        assert (health["figures"]["messages_queued"], health["figures"]["live_connections"]) == (0, 0)
        # Another server's files are not ours to measure.
        size = health["storage"]["size_bytes"]
        assert (size is None) == (sqlite_path(database_url) is None)
        assert size is None or size > 0
        assert 0 < health["storage"]["disk_free_bytes"] <= health["storage"]["disk_total_bytes"]
