"""One shape for every failure, on every route."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.api.docs_page.catalogue import CODES
from tablegram.api.framework import route_table
from tablegram.api.routing import Route
from tests.api.app import NARROW_KEY, OTHER_NARROW_KEY, World, ask, shared_world
from tests.api.test_gate import check_problem
from tests.cases import cases
from tests.opened_product import HANDLERS

ROUTES = sorted(route_table(HANDLERS, {}).routes, key=lambda route: route.name)
GUARDED = [route for route in ROUTES if not route.public]
WITH_BODY = [route for route in GUARDED if route.takes_body]
SCOPED = [route for route in GUARDED if route.scope]


def path_of(route: Route) -> str:
    path = route.template
    for name, value in (
        ("message_id:str", "wamid.known"),
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


async def test_every_route_refuses_who_shows_no_key() -> None:
    with cases() as every:
        for route in GUARDED:
            with every.case(route.name):
                check_problem(await ask(shared_world(), route.method, path_of(route), {}, key=None), 401, "key_missing")


async def test_every_route_refuses_a_key_without_its_scope() -> None:
    with cases() as every:
        for route in SCOPED:
            with every.case(route.name):
                key = OTHER_NARROW_KEY if route.scope == "campaigns:manage" else NARROW_KEY
                reply = await ask(shared_world(), route.method, path_of(route), {}, key=key)
                check_problem(reply, 403, "scope_missing")


async def test_every_route_keeps_the_rate() -> None:
    with cases() as every:
        for route in GUARDED:
            with every.case(route.name):
                world = World(rate=0.01, burst=1)
                await ask(world, "GET", "/me")
                check_problem(await ask(world, route.method, path_of(route), {}), 429, "rate_limited")


async def test_every_route_refuses_a_method_it_does_not_know() -> None:
    with cases() as every:
        for route in ROUTES:
            with every.case(route.name):
                check_problem(await ask(shared_world(), "PUT", path_of(route)), 405, "method_not_allowed")


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
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
    ],
)
async def test_every_route_with_a_body_refuses_a_bad_one(
    body: bytes | None, content_type: str | None, status: int, code: str
) -> None:
    world = shared_world()
    with cases() as every:
        for route in WITH_BODY:
            with every.case(route.name):
                reply = await ask(world, route.method, path_of(route), body, content_type=content_type)
                check_problem(reply, status, code)
                if status == 422:
                    assert [error["field"] for error in reply.json()["errors"]] == ["body"]
                assert world.sends.drafts == []
                assert world.lines.taken == []


async def test_every_route_names_a_field_that_does_not_exist() -> None:
    body = {"no_such_field": 1, "kind": "sandbox"}
    with cases() as every:
        for route in WITH_BODY:
            with every.case(route.name):
                reply = await ask(shared_world(), route.method, path_of(route), body)
                assert reply.status == 422
                errors = [(error["field"], error["code"]) for error in reply.json()["errors"]]
                assert ("no_such_field", "unknown_field") in errors


async def test_every_post_refuses_a_bad_idempotency_key() -> None:
    with cases() as every:
        for route in [route for route in GUARDED if route.method == "POST"]:
            body: Any = BODIES.get(route.template) if route.takes_body else b"a file" if route.file_bytes else None
            for key in ("", "with space", "x" * 256, "é"):
                with every.case(f"{route.name} with {key[:20]!r}"):
                    reply = await ask(shared_world(), "POST", path_of(route), body, headers={"Idempotency-Key": key})
                    check_problem(reply, 422, "idempotency_key_invalid")


async def test_a_problem_document_links_to_its_description() -> None:
    page = await ask(shared_world(), "GET", "/docs", key=None)
    for code in CODES:
        assert f'id="problem-{code}"'.encode() in page.body


_PHONE = {"phone": "905551112233"}
_TOWN = [{"latitude": 41, "longitude": 29}, {"latitude": 41, "longitude": 29.1}, {"latitude": 41.1, "longitude": 29}]
_FEATURE = {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[29, 41], [29.1, 41], [29, 41.1]]]}}
BODIES: dict[str, Any] = {
    "/messages/send": {**_PHONE, "message": "hi"},
    "/messages/send-media": {**_PHONE, "media_url": "https://example.com/a.png"},
    "/messages/send-template": {**_PHONE, "template": "hello", "language": "en"},
    "/messages/send-location": {**_PHONE, "latitude": 1, "longitude": 2.5},
    "/messages/send-contacts": {**_PHONE, "contacts": [{"name": "Ayşe", "phones": ["+90 555"]}]},
    "/messages/send-buttons": {**_PHONE, "body": "Well?", "buttons": [{"id": "y", "title": "Yes"}]},
    "/messages/send-list": {
        **_PHONE,
        "body": "Well?",
        "button": "Open",
        "sections": [{"title": "A", "rows": [{"id": "1", "title": "One"}]}],
    },
    "/messages/react": {**_PHONE, "message_id": "wamid.known", "emoji": "👍"},
    "/messages/batch": {"messages": [{**_PHONE, "message": "hi"}]},
    "/instances": {"kind": "sandbox"},
    "/instances/{instance_id:int}/pair-code": _PHONE,
    "/webhooks": {"url": "https://example.com/hooks", "events": ["messages.upsert"]},
    "/webhooks/{webhook_id:str}/replay": {"since": "2026-03-01T18:30:00Z"},
    "/contacts": {**_PHONE, "name": "Ayşe", "tags": ["regular"]},
    "/contacts/{contact_id:str}/addresses": {"address": "Moda Caddesi 12"},
    "/contacts/{contact_id:str}/merge": {"into": "con-2"},
    "/loyalty/members/{contact_id:str}/adjust": {"points": 5, "reason": "late"},
    "/loyalty/coupons": {"name": "Ten off", "gives": "percent", "percent": 10},
    "/loyalty/coupons/check": {"code": "TEN"},
    "/loyalty/cards": {"name": "Tea card", "needed": 5, "reward": {"name": "Tea", "gives": "percent", "percent": 10}},
    "/loyalty/redemptions": {"order_id": "ORD-1", "points": 0},
    "/loyalty/gifts": {"amount": 500, "paid_by": "card"},
    "/loyalty/gifts/check": {"code": "7KMP-Q2RX-9TDA"},
    "/loyalty/gifts/{gift_id:str}/send": {"phone": "905551112233"},
    "/loyalty/gifts/{gift_id:str}/cancel": {"reason": "Lost"},
    "/orders/{order_id:str}/gift-payments": {"gift_code": "7KMP-Q2RX-9TDA"},
    "/instances/{instance_id:int}/auto-replies": {"kind": "keyword", "message": "x", "keywords": ["menü"]},
    "/team": {"email": "ada@example.com", "role": "staff"},
    "/team/{member_id:str}/invite": {},
    "/consents": {"contact_id": "con-1", "state": "denied", "source": "till"},
    "/consents/texts": {"language": "tr", "words": "Evet."},
    "/contacts/jobs": {"act": "tag", "tag": "x", "contact_ids": ["con-1"]},
    "/contacts/import": {"csv": "phone\n905551112233\n"},
    "/contacts/imports/{import_id:str}/start": {},
    "/conversations/{contact_id:str}/notes": {"text": "Allergic to nuts."},
    "/templates": {"name": "order_ready", "language": "en", "category": "utility", "text": "It is ready."},
    "/templates/sync": {},
    "/segments": {"name": "Lost regulars", "rules": {"rule": "orders", "at_least": 3}},
    "/segments/count": {"rules": {"rule": "orders", "at_least": 3}},
    "/segments/preview": {"rules": {"rule": "orders", "at_least": 3}, "language": "tr"},
    "/canned-replies": {"shortcut": "hours", "text": "We are open."},
    "/keys": {"scopes": ["messages:send"]},
    "/operator/accounts": {"name": "Blue Door", "owner": {"email": "ada@example.com"}},
    "/operator/accounts/{account_id:int}/top-up": {"amount_usd": 25, "reference": "invoice 7"},
    "/operator/accounts/{account_id:int}/invite": {"email": "ada@example.com"},
    "/operator/plans": {"name": "starter", "free_messages": 1000, "free_hours": 720},
    "/orders": {"venue_id": "v", "lines": [{"item_id": "i"}]},
    "/orders/{order_id:str}/{action:str}": {"reason": "closed"},
    "/orders/{order_id:str}/progress": {"action": "start"},
    "/stores/sources": {"platform": "woocommerce", "name": "Shop"},
    "/stores/sources/{source_id:str}/test": _PHONE,
    "/automations": {"preset": "welcome"},
    "/automations/{automation_id:str}/try": {"contact_id": "c"},
    "/campaigns": {"name": "Brunch"},
    "/campaigns/{campaign_id:str}/preview": {},
    "/campaigns/{campaign_id:str}/test": _PHONE,
    "/campaigns/{campaign_id:str}/start": {},
    "/payment-links": {"amount": 450, "currency": "TRY", "description": "Dinner"},
    "/payment-links/{link_id:str}/refunds": {},
    "/payment-providers": {"provider": "sandbox"},
    "/stores/notifications/{notification_id:str}/preview": {"text": "Hi {name}"},
    "/restaurant/printers": {"name": "Kitchen", "kind": "cloudprnt"},
    "/restaurant/tickets/{ticket_id:str}/reprint": {},
    "/restaurant/couriers": {"name": "Mert"},
    "/restaurant/couriers/{courier_id:str}/page": {},
    "/restaurant/courier-shifts/{shift_id:str}/count": {"counted_amount": 12},
    "/restaurant/deliveries": {"order_id": "o", "courier_id": "c"},
    "/restaurant/deliveries/{order_delivery_id:str}/{move:str}": {},
    "/restaurant/tabs/{tab_id:str}/payments": {"method": "cash", "amount": 12},
    "/restaurant/tabs/{tab_id:str}/payments/{tab_payment_id:str}/refund": {"reason": "Wrong table"},
    "/restaurant/tabs/{tab_id:str}/discounts": {"amount": 12, "reason": "Late"},
    "/restaurant/tabs/{tab_id:str}/payment-links": {"amount": 12},
    "/restaurant/tabs/{tab_id:str}/receipt": {"by": "paper"},
    "/restaurant/tabs/{tab_id:str}/move": {"table_id": "t"},
    "/restaurant/venues/{venue_id:str}/till/movements": {"kind": "put_in", "amount": 12, "reason": "Float"},
    "/restaurant/venues/{venue_id:str}/till/counts": {"counted_amount": 12},
    "/restaurant/tabs/{tab_id:str}/close": {"reason": "Left"},
    "/restaurant/venues": {"name": "Safran", "currency": "TRY", "time_zone": "Europe/Istanbul"},
    **{
        "/restaurant/venues/{venue_id:str}" + path: body
        for path, body in {
            "/layouts": {"kind": "pass", "layout": None},
            "/zones": {"name": "Moda", "corners": _TOWN},
            "/zones/check": {"latitude": 41, "longitude": 29},
            "/zones/geojson": {"type": "FeatureCollection", "features": [_FEATURE]},
            "/waiters": {"name": "Elif"},
            "/sections": {"name": "Bahçe"},
            "/tables": {"label": "12"},
            "/tables/range": {"first": 1, "last": 12},
            "/menu/categories": {"name": "Çorbalar"},
            "/menu/items": {"category_id": "c", "name": "Mercimek", "price": 85.5},
            "/menu/option-groups": {"name": "Boy", "options": [{"name": "Tek"}]},
            "/menu/order": {"ids": ["c"]},
            "/menu/prices": {"percent": 10},
            "/menu/sold-out": {"ids": ["i"]},
        }.items()
    },
}
