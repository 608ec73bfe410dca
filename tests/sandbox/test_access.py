"""Only this machine may use the network, and no foreign web page through its browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tablegram.sandbox import app as sandbox
from tests.sandbox.peers import ask
from tests.sandbox.stage import running


@pytest.mark.parametrize(
    ("client", "headers", "status"),
    [
        ("127.0.0.1", {"host": "127.0.0.1:8000"}, 200),
        ("127.0.0.1", {"host": "localhost:8000"}, 200),
        ("::1", {"host": "[::1]:8000"}, 200),
        ("::ffff:127.0.0.1", {"host": "LOCALHOST"}, 200),
        ("127.0.0.1", {"host": "localhost", "origin": "http://localhost:8000"}, 200),
        # A page that hides where it comes from.
        ("127.0.0.1", {"host": "localhost", "origin": "null"}, 403),
        ("10.0.0.7", {"host": "localhost"}, 403),
        ("8.8.8.8", {"host": "gateway.example"}, 403),
        ("127.0.0.1", {"host": "evil.example"}, 403),
        ("127.0.0.1", {"host": "127.0.0.1.evil.example"}, 403),
        ("127.0.0.1", {"host": "localhost@evil.example"}, 403),
        ("127.0.0.1", {"host": "["}, 403),
        ("127.0.0.1", {}, 403),
        ("127.0.0.1", {"host": "localhost", "origin": "https://evil.example"}, 403),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "8.8.8.8"}, 403),
        ("127.0.0.1", {"host": "localhost", "x-forwarded-for": "127.0.0.1"}, 200),
        ("nonsense", {"host": "localhost"}, 403),
    ],
)
async def test_only_this_machine_gets_in(tmp_path: Path, client: str, headers: dict[str, str], status: int) -> None:
    assert await ask(sandbox.create(tmp_path / "s.db"), client, headers) == status


async def test_opened_on_purpose_it_lets_others_in_but_no_foreign_pages(tmp_path: Path) -> None:
    app = sandbox.create(tmp_path / "s.db", open_to_all=True)
    assert await ask(app, "10.0.0.7", {"host": "gateway.example"}) == 200
    assert await ask(app, "10.0.0.7", {"host": "gateway.example", "origin": "https://evil.example"}) == 403


async def test_the_refusal_says_why(tmp_path: Path) -> None:
    async with running(tmp_path / "s.db") as url, aiohttp.ClientSession(headers={"Host": "evil.example"}) as http:
        answer = await http.get(f"{url}/phones")
        assert answer.status == 403
        assert "evil.example" in (await answer.json())["detail"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("PATCH", "/phones", 405),
        ("GET", "/phones/abc/messages", 422),
        ("GET", "/phones/905551112233/messages?limit=0", 422),
        ("GET", "/phones/905551112233/messages?after=x", 422),
        ("GET", "/accepted?after=-1", 422),
        ("DELETE", "/faults/none", 404),
        ("POST", "/numbers/none/verify", 404),
        ("GET", "/media/none", 404),
        ("GET", "/static/none.js", 404),
        ("GET", "/static/..%2Froutes.py", 404),
        ("PUT", "/numbers/a%20b", 422),
        ("PUT", "/numbers/ok", 422),
        ("PUT", "/phones/1", 422),
    ],
)
async def test_wrong_requests_get_a_plain_answer(tmp_path: Path, method: str, path: str, status: int) -> None:
    async with running(tmp_path / "s.db") as url, aiohttp.ClientSession() as http:
        answer = await http.request(method, url + path)
        assert answer.status == status
        assert len((await answer.json())["detail"]) > 10


OUTSIDE, OWN = "203.0.113.9", {"host": "gateway.example"}


@pytest.mark.parametrize(
    ("person", "method", "path", "headers", "let_in"),
    [
        ("nobody", "GET", "/sandbox/phones", OWN, False),
        ("member", "GET", "/sandbox/phones", OWN, True),
        ("member", "GET", "/sandbox/", OWN, True),
        ("member", "GET", "/sandbox/faults", OWN, True),
        ("member", "PUT", "/sandbox/faults", OWN, False),
        ("member", "POST", "/sandbox/numbers", OWN, False),
        # Paper names guests of every account.
        ("member", "GET", "/sandbox/paper", OWN, False),
        ("operator", "GET", "/sandbox/paper", OWN, True),
        ("member", "GET", "/sandbox/graph/v25.0/1", OWN, False),
        ("operator", "GET", "/sandbox/graph/v25.0/1", OWN, True),
        ("operator", "DELETE", "/sandbox/counters", OWN, True),
        ("operator", "GET", "/sandbox/phones", {**OWN, "origin": "https://evil.example"}, False),
        ("operator", "GET", "/sandbox/phones", {**OWN, "origin": "null"}, False),
        ("operator", "PUT", "/sandbox/phones/905551112233", {**OWN, "sec-fetch-site": "cross-site"}, False),
    ],
)
async def test_from_elsewhere_members_hold_the_phones_and_operators_the_network(
    tmp_path: Path, person: str, method: str, path: str, headers: dict[str, str], let_in: bool
) -> None:
    app = sandbox.create(tmp_path / "sandbox.db")

    async def admits(scope: Any, control: bool) -> bool:
        return person == "operator" or (person == "member" and not control)

    app.admits = admits
    status = await ask(app, OUTSIDE, headers, method, path)
    assert (status != 403) == let_in
