"""The installation's own work is closed to every key of an account, and no account can make a key that is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablegram.accounts.keys.keys import KeyRing
from tablegram.accounts.operating.operators import check_operator
from tablegram.accounts.roles import SCOPES
from tablegram.accounts.scopes import ALL, OPERATE, covers, parse_scopes
from tablegram.api.framework import route_table
from tablegram.errors import Invalid, ScopeMissing
from tests.api.product_in_process import Running, product
from tests.opened_product import HANDLERS
from tests.panel.visiting import house

ROUTES = [route for route in route_table(HANDLERS, {}).routes if route.template.startswith("/operator/")]
BODY = {"name": "x", "plan": "standard", "email": "eve@example.com", "amount_usd": 5, "reference": "r"}


def ring(running: Running) -> KeyRing:
    made = running.api
    return KeyRing(made.db, made.box, made.clock, made.settings)


def test_the_scope_is_in_no_role_and_not_in_all() -> None:
    assert ROUTES
    assert {route.scope for route in ROUTES} == {OPERATE}
    assert all(route.scope != OPERATE for route in route_table(HANDLERS, {}).routes if route not in ROUTES)
    assert not any(route.test_keys or route.public for route in ROUTES)
    for held in (*SCOPES.values(), frozenset({ALL}), frozenset({ALL, OPERATE}), frozenset({OPERATE})):
        assert not covers(held, frozenset({OPERATE}))
    with pytest.raises(Invalid):
        parse_scopes([OPERATE])
    with pytest.raises(Invalid):
        parse_scopes([ALL, OPERATE])


async def test_no_key_of_an_account_reaches_any_of_it(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        keys = [
            running.keys[0],
            (await ring(running).create(1, scopes=["account:manage", "keys:manage"])).token,
            (await ring(running).create(1, mode="test")).token,
        ]
        before = (await running.ask("GET", "/me", account=2)).json()
        for route in ROUTES:
            path = route.template.replace("{account_id:int}", "2").replace("{plan_name:str}", "standard")
            for key in keys:
                reply = await running.ask(route.method, path, BODY if route.takes_body else None, key=key)
                assert (reply.status, reply.json()["code"]) == (403, "scope_missing"), route.name
                assert "two" not in reply.body.decode()
            reply = await running.ask(route.method, path, BODY if route.takes_body else None, key=None)
            assert (reply.status, reply.json()["code"]) == (401, "key_missing")
        assert (await running.ask("GET", "/me", account=2)).json() == before
        assert (await running.ask("GET", "/audit", account=2)).json()["data"] == []


async def test_no_key_can_be_made_with_it_not_even_by_a_key_that_has_it(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        operator = (await ring(running).create_for_operator(1)).token
        for scopes in ([OPERATE], [ALL, OPERATE]):
            reply = await running.ask("POST", "/keys", {"scopes": scopes})
            assert reply.status == 422
        reply = await running.ask("POST", "/keys", {"scopes": ["messages:read"]}, key=operator)
        assert (reply.status, reply.json()["code"]) == (403, "scope_missing")
        with pytest.raises(Invalid):
            await ring(running).create(1, scopes=[OPERATE])
        held = {tuple(one["scopes"]) for one in (await running.ask("GET", "/keys")).json()["data"]}
        assert held == {(ALL,), (OPERATE,)}


async def test_an_owner_cannot_make_one_in_the_panel_and_sees_and_ends_one_that_is_there(
    database_url: str, tmp_path: Path
) -> None:
    async with house(database_url, tmp_path) as here:
        owner = await here.person("owner")
        typed = {"name": "mine", "reach": "some", "scopes": [OPERATE], "mode": "live"}
        assert (await owner.post("/panel/keys", typed)).status == 422
        assert OPERATE not in (await owner.get("/panel/keys/new")).text
        made = await ring(here.running).create_for_operator(1, name="billing")
        assert OPERATE in (await owner.get(f"/panel/keys/{made.record.id}")).words
        await owner.post(f"/panel/keys/{made.record.id}/revoke", {"confirm": "billing"})
        reply = await here.running.ask("GET", "/operator/accounts", key=made.token)
        assert (reply.status, reply.json()["code"]) == (401, "key_revoked")


async def test_an_operators_key_reaches_nothing_of_an_account_itself(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        operator = (await ring(running).create_for_operator(1)).token
        assert (await running.ask("GET", "/operator/accounts", key=operator)).status == 200
        for path in ("/messages", "/contacts", "/team", "/keys", "/audit", "/orders", "/requests"):
            reply = await running.ask("GET", path, key=operator)
            assert (reply.status, reply.json()["code"]) == (403, "scope_missing"), path


async def test_the_service_asks_by_itself_whatever_stands_before_it(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        caller = await ring(running).authenticate(running.keys[0])
        with pytest.raises(ScopeMissing):
            check_operator(caller)
        person = await running.api.people.register.create("eve@example.com", "Eve", "en")
        with pytest.raises(ScopeMissing):
            check_operator(person)
