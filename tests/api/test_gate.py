"""What every request goes through before anything is done, and what every answer carries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from ipaddress import ip_network
from typing import Any

import pytest

from tablegram.accounts.accounts import Accounts
from tablegram.accounts.keys.key_format import mint
from tablegram.accounts.keys.keys import KeyRing
from tablegram.api.framework import route_table
from tablegram.api.sends.fast_send import ROUTE
from tablegram.errors import Unavailable
from tablegram.values.clock import HOUR_MS
from tests.accounts.opened import MovableClock
from tests.api.edge import Edge, edge_of, kept_open
from tests.api.problems import check_headers, check_problem
from tests.cases import cases
from tests.databases import Databases
from tests.opened_product import HANDLERS

GOOD = {"phone": "905551112233", "message": "hi"}
PROXY = "192.0.2.1"


@pytest.fixture(scope="module")
def strict(
    databases: Databases, loop_of_file: asyncio.Runner, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Edge]:
    """A product that lets an address without a key call twice, believes one proxy, and takes small bodies only."""
    url = databases.migrated()
    settings: dict[str, Any] = {"anonymous_rate_limit": 0.001, "anonymous_rate_burst": 2, "max_body_bytes": 200}
    made = edge_of(url, tmp_path_factory.mktemp("strict"), trusted_proxies=(ip_network("192.0.2.0/24"),), **settings)
    with kept_open(loop_of_file, made) as opened:
        yield opened
    databases.drop(url)


async def refused_keys(edge: Edge) -> dict[str, str]:
    """Keys that no longer work, by the reason."""
    made, accounts = edge.api, Accounts(edge.api.db, edge.api.clock)
    earlier = MovableClock(made.clock.now_ms() - HOUR_MS)
    past = KeyRing(made.db, made.box, earlier, made.settings)
    expired = await past.create(1, expires_at=earlier.at_ms + 1)
    revoked = await edge.key_ring.create(1)
    await edge.key_ring.revoke(1, revoked.record.id)
    closed = await accounts.create("closed")
    suspended = await edge.key_ring.create(closed.id)
    await accounts.suspend(closed.id)
    keys = {"key_expired": expired, "key_revoked": revoked, "account_suspended": suspended}
    return {code: key.token for code, key in keys.items()}


async def test_without_a_valid_key_it_is_401_with_the_reason_as_code(edge: Edge) -> None:
    tokens = {None: "key_missing", "": "key_missing", "nonsense": "key_malformed", mint("live"): "key_unknown"}
    before = await edge.done()
    for token, code in (*tokens.items(), *((key, code) for code, key in (await refused_keys(edge)).items())):
        reply = await edge.ask("POST", "/messages/send", GOOD, key=token)
        check_problem(reply, 401, code)
        assert reply.headers["www-authenticate"].startswith("Bearer")
    assert await edge.done() == before


async def test_other_schemes_of_authorization_are_not_taken(edge: Edge) -> None:
    reply = await edge.ask("GET", "/me", key=None, headers={"Authorization": f"Basic {edge.key}"})
    check_problem(reply, 401, "key_missing")


async def test_the_scheme_is_read_whatever_its_case(edge: Edge) -> None:
    reply = await edge.ask("GET", "/me", key=None, headers={"Authorization": f"bearer {edge.key}"})
    assert reply.status == 200


async def test_a_key_without_the_scope_is_403_and_does_nothing(edge: Edge) -> None:
    before, narrow = await edge.done(), await edge.key_with("campaigns:manage")
    reply = await edge.ask("POST", "/messages/send", GOOD, key=narrow)
    check_problem(reply, 403, "scope_missing")
    assert "messages:send" in reply.json()["detail"]
    assert await edge.done() == before
    # What needs no scope is open to it.
    reply = await edge.ask("GET", "/me", key=narrow)
    assert (reply.status, reply.json()["key"]["scopes"]) == (200, ["campaigns:manage"])


UNKNOWN_PATHS = [
    "/nowhere",
    "/messages/",
    "/messages/a/b/c",
    "/instances/zero",
    "/instances/-1",
    "/me/",
    "/messages/a%00b",
]


async def test_an_unknown_path_is_404_whoever_calls(edge: Edge) -> None:
    with cases() as every:
        for path in UNKNOWN_PATHS:
            for key in (edge.key, None):
                with every.case(f"{path} {key}"):
                    check_problem(await edge.ask("GET", path, key=key), 404, "path_unknown")


async def test_a_wrong_method_is_405_and_says_which_are_right(edge: Edge) -> None:
    reply = await edge.ask("DELETE", "/instances")
    check_problem(reply, 405, "method_not_allowed")
    assert reply.headers["allow"] == "GET, HEAD, POST"
    for method in ("OPTIONS", "TRACE", "PUT", "BREW"):
        check_problem(await edge.ask(method, "/me", key=None), 405, "method_not_allowed")


async def test_the_callers_request_id_is_echoed_when_it_is_sane(edge: Edge) -> None:
    reply = await edge.ask("GET", "/me", headers={"X-Request-Id": "order-42"})
    assert reply.headers["x-request-id"] == "order-42"
    for given in ("", "with space", "x" * 129, "tür"):
        reply = await edge.ask("GET", "/me", headers={"X-Request-Id": given})
        assert reply.headers["x-request-id"] not in ("", given)


async def test_over_the_rate_it_is_429_before_the_body_is_read(edge: Edge) -> None:
    slow = await edge.slow_key(rate=0.1, burst=2)
    for _ in range(2):
        assert (await edge.ask("GET", "/me", key=slow)).status == 200
    reply = await edge.ask("POST", "/messages/send", b"not even json", key=slow)
    check_problem(reply, 429, "rate_limited")
    assert int(reply.headers["retry-after"]) >= 1
    assert reply.headers["ratelimit"].startswith('"default";r=0;')
    assert reply.headers["ratelimit-policy"] == '"default";q=2;w=20'


async def test_addresses_without_a_key_have_a_limit_of_their_own(strict: Edge) -> None:
    first, second = "198.51.100.1", "198.51.100.2"
    for _ in range(2):
        check_problem(await strict.ask("GET", "/me", key=None, client=first), 401, "key_missing")
    check_problem(await strict.ask("GET", "/nowhere", key=None, client=first), 429, "rate_limited")
    assert (await strict.ask("GET", "/me", key=None, client=second)).status == 401
    assert (await strict.ask("GET", "/me", client=first)).status == 200


async def test_an_address_that_guesses_keys_costs_no_more_lookups_once_it_is_shut_out(
    strict: Edge, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up, guessed = KeyRing._look_up, []

    async def counted(self: KeyRing, token: str) -> Any:
        guessed.append(token)
        return await look_up(self, token)

    monkeypatch.setattr(KeyRing, "_look_up", counted)
    statuses = [(await strict.ask("GET", "/me", key=mint("live"), client="198.51.100.3")).status for _ in range(10)]
    assert (statuses[0], statuses[-1]) == (401, 429)
    assert 0 < len(guessed) <= 3


async def test_a_forwarded_address_counts_only_behind_a_trusted_proxy(strict: Edge) -> None:
    # Twice as often as an address may, each time for another one.
    for client, last in ((PROXY, 401), ("198.51.100.4", 429)):
        told = [{"X-Forwarded-For": f"203.0.113.{number}"} for number in range(4)]
        replies = [await strict.ask("GET", "/me", key=None, client=client, headers=one) for one in told]
        assert [reply.status for reply in replies] == [401, 401, last, last]


async def test_a_caller_cannot_choose_its_address_in_front_of_the_proxy(strict: Edge) -> None:
    told = [f"198.51.100.{number}, 203.0.113.9" for number in range(100, 103)]
    replies = [await strict.ask("GET", "/me", key=None, client=PROXY, headers={"X-Forwarded-For": one}) for one in told]
    assert [reply.status for reply in replies] == [401, 401, 429]


async def test_only_a_body_that_is_declared_json_is_read(edge: Edge) -> None:
    for kind in ("application/json", "application/json; charset=utf-8", "Application/JSON"):
        assert (await edge.ask("POST", "/messages/send", GOOD, content_type=kind)).status == 200
    before = await edge.done()
    for other in (None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""):
        reply = await edge.ask("POST", "/messages/send", GOOD, content_type=other)
        check_problem(reply, 415, "content_type_unsupported")
    assert await edge.done() == before


async def test_too_large_a_body_is_413(strict: Edge) -> None:
    assert (await strict.ask("POST", "/messages/send", b" " * 200)).status == 422
    check_problem(await strict.ask("POST", "/messages/send", b" " * 201), 413, "body_too_large")


@pytest.mark.parametrize("fast", [True, False])
async def test_an_error_of_ours_is_a_500_that_tells_no_secrets(
    edge: Edge, fast: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(edge.sending, "send", failing_with(RuntimeError("password=hunter2")))
    reply = await edge.ask("POST", "/messages/send", GOOD, fast=fast)
    check_problem(reply, 500, "internal_error")
    assert b"hunter2" not in reply.body
    assert reply.headers["x-request-id"] in caplog.text


@pytest.mark.parametrize("fast", [True, False])
async def test_storage_that_is_down_is_503_with_a_time_to_wait(
    edge: Edge, fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = Unavailable("The store does not answer.", retry_after_s=2)
    monkeypatch.setattr(edge.sending, "send", failing_with(down))
    reply = await edge.ask("POST", "/messages/send", GOOD, fast=fast)
    check_problem(reply, 503, "storage_unavailable")
    assert reply.headers["retry-after"] == "2"


def failing_with(error: Exception) -> Callable[..., Awaitable[None]]:
    async def fail(*asked: Any) -> None:
        raise error

    return fail


async def test_success_carries_the_same_headers(edge: Edge) -> None:
    for method, path, body in (("GET", "/me", None), ("POST", "/messages/send", GOOD), ("GET", "/messages", None)):
        reply = await edge.ask(method, path, body)
        assert reply.status == 200
        check_headers(reply)


def test_what_is_answered_without_the_framework_asks_for_what_its_handler_asks_for() -> None:
    assert ROUTE in route_table(HANDLERS, {}).routes
