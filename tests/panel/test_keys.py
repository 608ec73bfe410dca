"""API keys in the panel: made for what the role allows, shown once, ended by name."""

from __future__ import annotations

import re
from pathlib import Path

from tests.panel.visiting import Page, Person, house

CHOSEN = {"name": "Till", "mode": "live", "reach": "some", "scopes": ["messages:send", "messages:read"]}


def token_of(page: Page) -> str:
    found = re.search(r"tg_(?:live|test)_[A-Za-z0-9]{46}", page.text)
    assert found is not None, page.words
    return found[0]


async def key_path(person: Person, name: str = "Till") -> str:
    found = re.search(rf'href="(/panel/keys/\w{{20,}})"[^>]*>{name}<', (await person.get("/panel/keys?show=all")).text)
    assert found is not None
    return found[1]


async def test_a_key_is_shown_once_and_works(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        made = await owner.post("/panel/keys", CHOSEN)
        token = token_of(made)
        assert (made.status, made.headers["cache-control"]) == (200, "no-store")
        assert made.text.count(token) >= 5, "the key stands alone and in the four samples"
        me = (await one.running.ask("GET", "/me", key=token)).json()
        assert me["key"]["name"] == "Till"
        assert sorted(me["key"]["scopes"]) == ["messages:read", "messages:send"]
        path = await key_path(owner)
        for page in ("/panel/keys", path, f"{path}?part=sheet", "/panel/samples", "/panel/"):
            assert token not in (await owner.get(page)).text


async def test_a_form_sent_twice_makes_one_key(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        mark = re.search(r'name="once" value="(\w+)"', (await owner.get("/panel/keys/new")).text)
        assert mark is not None
        tokens = {token_of(await owner.post("/panel/keys", {**CHOSEN, "once": mark[1]})) for _ in range(2)}
        assert len(tokens) == 1
        assert (await owner.get("/panel/keys")).text.count(">Till<") == 1


async def test_a_key_is_ended_by_typing_its_name(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        token = token_of(await owner.post("/panel/keys", CHOSEN))
        path = await key_path(owner)
        wrong = await owner.post(f"{path}/revoke", {"confirm": "till"})
        assert wrong.status == 422
        assert (await one.running.ask("GET", "/me", key=token)).status == 200
        assert (await owner.post(f"{path}/revoke", {"confirm": "Till"})).location == "/panel/keys"
        assert (await one.running.ask("GET", "/me", key=token)).status == 401
        assert "Till" not in (await owner.get("/panel/keys")).words
        assert "revoked" in (await owner.get("/panel/keys?show=ended")).words


async def test_a_developer_gives_away_no_more_than_he_has(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        developer = await one.person("developer")
        assert "account:manage" not in (await developer.get("/panel/keys/new")).text
        refused = await developer.post("/panel/keys", {**CHOSEN, "scopes": ["account:manage"]})
        assert refused.status == 422
        assert 'value="Till"' in refused.text, "what was typed is kept"
        every = token_of(await developer.post("/panel/keys", {**CHOSEN, "reach": "all"}))
        scopes = (await one.running.ask("GET", "/me", key=every)).json()["key"]["scopes"]
        assert "*" not in scopes
        assert "account:manage" not in scopes


async def test_wrong_fields_are_told_beside_them_and_nothing_is_made(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        for fields, field in (
            ({**CHOSEN, "name": " "}, "name"),
            ({**CHOSEN, "scopes": []}, "scopes"),
            ({**CHOSEN, "expires_at": "2001-01-01"}, "expires_at"),
            ({**CHOSEN, "expires_at": "soon"}, "expires_at"),
        ):
            page = await owner.post("/panel/keys", fields)
            assert (page.status, f'id="{field}-error"' in page.text) == (422, True), field
        assert "Till" not in (await owner.get("/panel/keys?show=all")).words


async def test_only_owners_and_developers_come_to_keys(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner = await one.person()
        await owner.post("/panel/keys", CHOSEN)
        path = await key_path(owner)
        manager = await one.person("manager")
        assert (await manager.get("/panel/keys")).location == "/panel/webhooks"
        for role in ("staff", "kitchen"):
            person = await one.person(role)
            assert (await person.get("/panel/keys")).status == 403, role
            assert (await person.get(path)).status == 403, role
        for person in (manager, await one.person("staff", account=2)):
            assert (await person.post("/panel/keys", CHOSEN)).status == 403
            assert (await person.post(f"{path}/revoke", {"confirm": "Till"})).status == 403


async def test_another_accounts_key_is_not_there(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, stranger = await one.person(), await one.person(account=2)
        token = token_of(await owner.post("/panel/keys", CHOSEN))
        path = await key_path(owner)
        assert (await stranger.get(path)).status == 404
        assert (await stranger.post(f"{path}/revoke", {"confirm": "Till"})).status == 404
        assert (await one.running.ask("GET", "/me", key=token)).status == 200


async def test_a_form_without_its_proof_makes_nothing(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        owner, other = await one.person(), await one.person("developer")
        for proof in ("", "wrong", await other.csrf()):
            assert (await owner.post("/panel/keys", CHOSEN, csrf=proof)).status == 403
        assert "Till" not in (await owner.get("/panel/keys?show=all")).words
