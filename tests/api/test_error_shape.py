"""One shape for every failure, on every route."""

from __future__ import annotations

from typing import Any

from tablegram.accounts.scopes import OPERATE
from tablegram.api.framework import route_table
from tablegram.api.routing import Route
from tests.api.asking import Reply
from tests.api.bodies import BODIES
from tests.api.edge import KNOWN, Edge
from tests.api.problems import check_problem
from tests.cases import cases
from tests.opened_product import HANDLERS

ROUTES = sorted(route_table(HANDLERS, {}).routes, key=lambda route: route.name)
GUARDED = [route for route in ROUTES if not route.public]
WITH_BODY = [route for route in GUARDED if route.takes_body]
SCOPED = [route for route in GUARDED if route.scope]


def path_of(route: Route) -> str:
    path = route.template
    for name, value in (
        ("message_id:str", KNOWN),
        ("media_id:str", "med_known"),
        ("contact_id:str", "con-1"),
        ("reply_id:str", "rep-1"),
        ("instance_id:int", "1"),
        ("account_id:int", "1"),
        ("request_id:str", "r"),
        ("key_id:str", "key-1"),
        ("webhook_id:str", "hook-1"),
        ("delivery_id:str", "evt_1.hook-1"),
        ("action:str", "reject"),
        ("move:str", "pick_up"),
        ("word:str", "accept"),
    ):
        path = path.replace("{" + name + "}", value)
    return path


def test_every_guarded_route_but_me_names_a_scope() -> None:
    assert [route.name for route in GUARDED if not route.scope] == ["GET /me"]


class Callers:
    """The key for each route: one that may do everything, and one for the installation's own work, which no other does."""

    def __init__(self, edge: Edge, operator: str) -> None:
        self.edge, self.operator = edge, operator

    async def ask(self, route: Route, body: Any = None, **more: Any) -> Reply:
        more.setdefault("key", self.operator if route.scope == OPERATE else self.edge.key)
        return await self.edge.ask(route.method, path_of(route), body, **more)


async def callers(edge: Edge) -> Callers:
    return Callers(edge, await edge.operators_key())


async def test_every_route_refuses_who_shows_no_key(edge: Edge) -> None:
    with cases() as every:
        for route in GUARDED:
            with every.case(route.name):
                check_problem(await edge.ask(route.method, path_of(route), {}, key=None), 401, "key_missing")


async def test_every_route_refuses_a_key_without_its_scope(edge: Edge) -> None:
    narrow, other = await edge.key_with("campaigns:manage"), await edge.key_with("keys:manage")
    with cases() as every:
        for route in SCOPED:
            with every.case(route.name):
                key = other if route.scope == "campaigns:manage" else narrow
                check_problem(await edge.ask(route.method, path_of(route), {}, key=key), 403, "scope_missing")


async def test_every_route_keeps_the_rate(edge: Edge) -> None:
    slow = await edge.slow_key(rate=0.001, burst=1)
    assert (await edge.ask("GET", "/me", key=slow)).status == 200
    with cases() as every:
        for route in GUARDED:
            with every.case(route.name):
                check_problem(await edge.ask(route.method, path_of(route), {}, key=slow), 429, "rate_limited")


async def test_every_route_refuses_a_method_it_does_not_know(edge: Edge) -> None:
    with cases() as every:
        for route in ROUTES:
            with every.case(route.name):
                check_problem(await edge.ask("PUT", path_of(route)), 405, "method_not_allowed")


# body, content type, status, code
BAD_BODIES: list[tuple[bytes | None, str | None, int, str]] = [
    (b"{", "application/json", 422, "json_malformed"),
    (b"\xff\xfe", "application/json", 422, "json_malformed"),
    (b'{"a": "\\ud800"}', "application/json", 422, "json_malformed"),
    (b"[" * 100_000, "application/json", 422, "json_malformed"),
    (b"[]", "application/json", 422, "wrong_type"),
    (b'"text"', "application/json", 422, "wrong_type"),
    (b"null", "application/json", 422, "wrong_type"),
    (b"   ", "application/json", 422, "missing"),
    (None, None, 422, "missing"),
    (b"{}", "text/plain", 415, "content_type_unsupported"),
    (b" " * 2_000_000, "application/json", 413, "body_too_large"),
]


async def test_every_route_with_a_body_refuses_a_bad_one(edge: Edge) -> None:
    of, before = await callers(edge), await edge.done()
    with cases() as every:
        for body, content_type, status, code in BAD_BODIES:
            for route in WITH_BODY:
                with every.case(f"{route.name} with {(body or b'')[:10]!r}"):
                    reply = await of.ask(route, body, content_type=content_type)
                    check_problem(reply, status, code)
                    if status == 422:
                        assert [error["field"] for error in reply.json()["errors"]] == ["body"]
    assert await edge.done() == before


async def test_every_route_names_a_field_that_does_not_exist(edge: Edge) -> None:
    of, before = await callers(edge), await edge.done()
    with cases() as every:
        for route in WITH_BODY:
            with every.case(route.name):
                reply = await of.ask(route, {"no_such_field": 1, "kind": "sandbox"})
                assert reply.status == 422
                errors = [(error["field"], error["code"]) for error in reply.json()["errors"]]
                assert ("no_such_field", "unknown_field") in errors
    assert await edge.done() == before


async def test_every_post_refuses_a_bad_idempotency_key(edge: Edge) -> None:
    of, before = await callers(edge), await edge.done()
    with cases() as every:
        for route in [route for route in GUARDED if route.method == "POST"]:
            body: Any = BODIES.get(route.template) if route.takes_body else b"a file" if route.file_bytes else None
            for key in ("", "with space", "x" * 256, "é"):
                with every.case(f"{route.name} with {key[:20]!r}"):
                    check_problem(
                        await of.ask(route, body, headers={"Idempotency-Key": key}), 422, "idempotency_key_invalid"
                    )
    assert await edge.done() == before
