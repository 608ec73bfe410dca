"""What every request goes through before anything is done, and what every answer carries."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from tablegram.api.framework import route_table
from tablegram.api.sends.fast_send import ROUTE
from tablegram.errors import Unavailable
from tests.api.app import KEY, NARROW_KEY, Reply, World, ask, shared_world
from tests.opened_product import HANDLERS

GOOD = {"phone": "905551112233", "message": "hi"}


def check_problem(reply: Reply, status: int, code: str) -> None:
    document = reply.json()
    assert reply.status == status, document
    assert reply.headers["content-type"] == "application/problem+json"
    assert document["status"] == status
    assert document["code"] == code
    assert document["type"] == f"/api/v1/docs#problem-{code}"
    assert document["title"]
    assert document["detail"]
    assert document["instance"].startswith("/api/v1")
    assert document["request_id"] == reply.headers["x-request-id"]
    check_headers(reply)


def check_headers(reply: Reply) -> None:
    assert reply.headers["x-request-id"]
    assert reply.headers["x-api-version"] == "1.4"
    assert reply.headers["ratelimit-policy"].startswith('"default";q=')
    assert reply.headers["ratelimit"].startswith('"default";r=')
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["cache-control"]
    assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize(
    ("token", "code"),
    [
        (None, "key_missing"),
        ("", "key_missing"),
        ("nonsense", "key_unknown"),
        ("tg_live_expired", "key_expired"),
        ("tg_live_revoked", "key_revoked"),
        ("tg_live_suspended", "account_suspended"),
    ],
)
async def test_without_a_valid_key_it_is_401_with_the_reason_as_code(token: str | None, code: str) -> None:
    world = World()
    reply = await ask(world, "POST", "/messages/send", GOOD, key=token)
    check_problem(reply, 401, code)
    assert reply.headers["www-authenticate"].startswith("Bearer")
    assert world.sends.drafts == []


async def test_other_schemes_of_authorization_are_not_taken() -> None:
    reply = await ask(shared_world(), "GET", "/me", key=None, headers={"Authorization": f"Basic {KEY}"})
    check_problem(reply, 401, "key_missing")


async def test_the_scheme_is_read_whatever_its_case() -> None:
    reply = await ask(shared_world(), "GET", "/me", key=None, headers={"Authorization": f"bearer {KEY}"})
    assert reply.status == 200


async def test_a_key_without_the_scope_is_403_and_does_nothing() -> None:
    world = World()
    reply = await ask(world, "POST", "/messages/send", GOOD, key=NARROW_KEY)
    check_problem(reply, 403, "scope_missing")
    assert "messages:send" in reply.json()["detail"]
    assert world.sends.drafts == []


async def test_me_needs_no_scope() -> None:
    reply = await ask(shared_world(), "GET", "/me", key=NARROW_KEY)
    assert reply.status == 200
    assert reply.json()["key"]["scopes"] == ["campaigns:manage"]


@pytest.mark.parametrize(
    "path", ["/nowhere", "/messages/", "/messages/a/b/c", "/instances/zero", "/instances/-1", "/me/", "/messages/a%00b"]
)
@pytest.mark.parametrize("key", [KEY, None])
async def test_an_unknown_path_is_404_whoever_calls(path: str, key: str | None) -> None:
    check_problem(await ask(shared_world(), "GET", path, key=key), 404, "path_unknown")


async def test_a_wrong_method_is_405_and_says_which_are_right() -> None:
    reply = await ask(shared_world(), "DELETE", "/instances")
    check_problem(reply, 405, "method_not_allowed")
    assert reply.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PUT", "BREW"])
async def test_methods_that_nobody_offers_are_405(method: str) -> None:
    check_problem(await ask(shared_world(), method, "/me", key=None), 405, "method_not_allowed")


async def test_the_callers_request_id_is_echoed_when_it_is_sane() -> None:
    reply = await ask(shared_world(), "GET", "/me", headers={"X-Request-Id": "order-42"})
    assert reply.headers["x-request-id"] == "order-42"


@pytest.mark.parametrize("given", ["", "with space", "x" * 129, "tür"])
async def test_any_other_request_id_is_replaced(given: str) -> None:
    reply = await ask(shared_world(), "GET", "/me", headers={"X-Request-Id": given})
    assert reply.headers["x-request-id"] not in ("", given)


async def test_over_the_rate_it_is_429_before_the_body_is_read() -> None:
    world = World(rate=0.1, burst=2)
    for _ in range(2):
        reply = await ask(world, "POST", "/messages/send", GOOD)
        assert reply.status == 200
    reply = await ask(world, "POST", "/messages/send", b"not even json")
    check_problem(reply, 429, "rate_limited")
    assert int(reply.headers["retry-after"]) >= 1
    assert reply.headers["ratelimit"].startswith('"default";r=0;')
    assert reply.headers["ratelimit-policy"] == '"default";q=2;w=20'


async def test_addresses_without_a_key_have_a_limit_of_their_own() -> None:
    world = World(anonymous_rate_limit=0.01, anonymous_rate_burst=2)
    for _ in range(2):
        check_problem(await ask(world, "GET", "/me", key=None), 401, "key_missing")
    check_problem(await ask(world, "GET", "/nowhere", key=None), 429, "rate_limited")
    assert (await ask(world, "GET", "/me", key=None, client="192.0.2.2")).status == 401
    assert (await ask(world, "GET", "/me")).status == 200


async def test_an_address_that_guesses_keys_costs_no_more_lookups_once_it_is_shut_out() -> None:
    world = World(anonymous_rate_limit=0.01, anonymous_rate_burst=2)
    for number in range(10):
        await ask(world, "GET", "/me", key=f"guess-{number}")
    assert world.keys.lookups <= 3


async def test_a_forwarded_address_counts_only_behind_a_trusted_proxy() -> None:
    trusting = World(anonymous_rate_limit=0.01, anonymous_rate_burst=1, trusted_proxies=(ip_network("192.0.2.0/24"),))
    suspicious = World(anonymous_rate_limit=0.01, anonymous_rate_burst=1)
    for world, second in ((trusting, 401), (suspicious, 429)):
        first = await ask(world, "GET", "/me", key=None, headers={"X-Forwarded-For": "203.0.113.1"})
        assert first.status == 401
        reply = await ask(world, "GET", "/me", key=None, headers={"X-Forwarded-For": "203.0.113.2"})
        assert reply.status == second


async def test_a_caller_cannot_choose_its_address_in_front_of_the_proxy() -> None:
    world = World(anonymous_rate_limit=0.01, anonymous_rate_burst=1, trusted_proxies=(ip_network("192.0.2.0/24"),))
    await ask(world, "GET", "/me", key=None, headers={"X-Forwarded-For": "203.0.113.9"})
    reply = await ask(world, "GET", "/me", key=None, headers={"X-Forwarded-For": "198.51.100.7, 203.0.113.9"})
    assert reply.status == 429


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])
async def test_a_body_that_is_not_declared_json_is_415(kind: str | None) -> None:
    world = World()
    check_problem(await ask(world, "POST", "/messages/send", GOOD, content_type=kind), 415, "content_type_unsupported")
    assert world.sends.drafts == []


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
async def test_json_may_carry_parameters(kind: str) -> None:
    assert (await ask(World(), "POST", "/messages/send", GOOD, content_type=kind)).status == 200


async def test_too_large_a_body_is_413() -> None:
    world = World(max_body_bytes=50)
    check_problem(await ask(world, "POST", "/messages/send", b" " * 51), 413, "body_too_large")


@pytest.mark.parametrize("fast", [True, False])
async def test_an_error_of_ours_is_a_500_that_tells_no_secrets(fast: bool, caplog: pytest.LogCaptureFixture) -> None:
    world = World(fast=fast)
    world.sends.error = RuntimeError("password=hunter2")
    reply = await ask(world, "POST", "/messages/send", GOOD)
    check_problem(reply, 500, "internal_error")
    assert b"hunter2" not in reply.body
    assert reply.headers["x-request-id"] in caplog.text


@pytest.mark.parametrize("fast", [True, False])
async def test_storage_that_is_down_is_503_with_a_time_to_wait(fast: bool) -> None:
    world = World(fast=fast)
    world.sends.error = Unavailable("The store does not answer.", retry_after_s=2)
    reply = await ask(world, "POST", "/messages/send", GOOD)
    check_problem(reply, 503, "storage_unavailable")
    assert reply.headers["retry-after"] == "2"


async def test_success_carries_the_same_headers() -> None:
    world = World()
    for method, path, body in (("GET", "/me", None), ("POST", "/messages/send", GOOD), ("GET", "/messages", None)):
        reply = await ask(world, method, path, body)
        assert reply.status == 200
        check_headers(reply)


def test_what_is_answered_without_the_framework_asks_for_what_its_handler_asks_for() -> None:
    assert ROUTE in route_table(HANDLERS, {}).routes
