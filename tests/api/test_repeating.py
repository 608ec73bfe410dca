"""An Idempotency-Key on every POST: the same call again answers the same, and does nothing again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select

from tablegram.api.framework import route_table
from tablegram.engine.idempotency import Call
from tablegram.engine.idempotency import KeptAnswer as StoredAnswer
from tablegram.errors import Conflict, Problem
from tablegram.storage.database import Tx
from tablegram.storage.tables import idempotency
from tablegram.values.secrets import SecretBox
from tests.api import files as shelf
from tests.cases import cases
from tests.contract.wire import Answer, ask
from tests.databases import Databases
from tests.messaging.gateway import gateway
from tests.opened_product import HANDLERS
from tests.product import wait_until
from tests.security.houses import town
from tests.security.matrix import CASES
from tests.security.matrix.case import FEATURE
from tests.security.rooms import seat
from tests.security.test_tenancy import written
from tests.security.town import FRESH_PHONES, Town

POSTS = sorted(
    name for route in route_table(HANDLERS, {}).routes if (name := route.name.replace(":str", "").replace(":int", "")) in CASES and route.method == "POST"
)  # fmt: skip
PHONES: dict[str, str] = {}
START = "POST /contacts/imports/{import_id}/start"
IMPORTS: dict[str, str] = {}
COUNT_CASH = "POST /restaurant/courier-shifts/{shift_id}/count"
SHIFTS: dict[str, str] = {}
# What moves an order, a call or a bill on for good: each key has guests of its own.
SEATED = ("/restaurant/tabs/{tab_id}", "/calls/{call_id}/", "/close-tab", "/orders/{order_id}/")
SEATS: dict[str, dict[str, str]] = {}
GIFTS: dict[str, str] = {}
# The same below a venue.
OF_VENUES: dict[str, dict[str, Any]] = {
    "waiters": {"name": "another"},
    "zones": {"name": "another"},
    "zones/check": {"latitude": 40},
    "zones/geojson": {"features": [{**FEATURE, "properties": {"name": "another"}}]},
    "sections": {"name": "another"},
    "tables": {"label": "another"},
    "tables/range": {"last": 22},
    "menu/categories": {"name": "another"},
    "menu/items": {"name": "another"},
    "menu/option-groups": {"name": "another"},
    "menu/order": {"ids": ["another"]},
    "menu/prices": {"percent": 11},
    "menu/sold-out": {"until": "told"},
    "menu/import": {"languages": ["en"]},
}
# Where another body differs in something else than the number.
OTHER_BODY: dict[str, dict[str, Any]] = {
    "POST /messages/batch": {"messages": [{"phone": "447700900123", "message": "another"}]},
    "POST /instances": {"name": "another"},
    "POST /keys": {"name": "another"},
    "POST /webhooks": {"description": "another"},
    "POST /webhooks/{webhook_id}/replay": {"until": "2099-01-01T00:00:00Z"},
    "POST /contacts/{contact_id}/merge": {"into": "another"},
    "POST /instances/{instance_id}/auto-replies": {"message": "another"},
    "POST /canned-replies": {"text": "another"},
    "POST /templates": {"text": "Another."},
    "POST /templates/sync": {"instance_id": None},
    "POST /segments": {"rules": {"rule": "orders", "at_least": 4}},
    "POST /segments/count": {"rules": {"rule": "tag", "is": "another"}},
    "POST /segments/preview": {"language": "tr"},
    "POST /conversations/{contact_id}/notes": {"text": "another"},
    "POST /contacts/jobs": {"tag": "another"},
    "POST /consents": {"source": "another"},
    "POST /consents/texts": {"words": "another"},
    "POST /contacts/import": {"csv": "phone\n447700900123\n"},
    START: {"existing": "keep"},
    "POST /team": {"name": "another"},
    "POST /team/{member_id}/invite": {"language": "tr"},
    "POST /orders": {"notes": "another"},
    "POST /orders/{order_id}/{action}": {"minutes": 6},
    "POST /orders/{order_id}/progress": {"action": "finish"},
    "POST /orders/{order_id}/gift-payments": {"amount": 2},
    "POST /contacts/{contact_id}/addresses": {"label": "another"},
    "POST /loyalty/members/{contact_id}/adjust": {"reason": "another"},
    "POST /loyalty/cards": {"name": "another"},
    "POST /loyalty/coupons": {"name": "another"},
    "POST /loyalty/coupons/check": {"code": "another"},
    "POST /loyalty/redemptions": {"phone": "447700900123"},
    "POST /loyalty/gifts": {"greeting": "another"},
    "POST /loyalty/gifts/check": {"code": "another"},
    "POST /loyalty/gifts/{gift_id}/send": {"phone": "447700900123"},
    "POST /loyalty/gifts/{gift_id}/cancel": {"reason": "another"},
    "POST /stores/sources": {"name": "another"},
    "POST /automations": {"name": "another"},
    "POST /automations/{automation_id}/try": {"contact_id": "another"},
    "POST /campaigns": {"name": "another"},
    "POST /campaigns/{campaign_id}/preview": {"contact_id": "another"},
    "POST /payment-links": {"description": "another"},
    "POST /payment-links/{link_id}/refunds": {"reason": "another"},
    "POST /payment-providers": {"is_default": False},
    "POST /stores/notifications/{notification_id}/preview": {"text": "another"},
    "POST /restaurant/printers": {"name": "another"},
    "POST /restaurant/tickets/{ticket_id}/reprint": {"printer_id": None},
    "POST /restaurant/couriers": {"name": "another"},
    "POST /restaurant/couriers/{courier_id}/page": {"new_link": True},
    "POST /restaurant/courier-shifts/{shift_id}/count": {"counted_amount": 3},
    "POST /restaurant/deliveries": {"courier_id": "another"},
    "POST /restaurant/deliveries/{order_delivery_id}/{move}": {"paid": "cash"},
    "POST /restaurant/tabs/{tab_id}/payments": {"amount": 2},
    "POST /restaurant/tabs/{tab_id}/payment-links": {"amount": 2},
    "POST /restaurant/tabs/{tab_id}/receipt": {"language": "tr"},
    "POST /restaurant/tabs/{tab_id}/payments/{tab_payment_id}/refund": {"reason": "another"},
    "POST /restaurant/tabs/{tab_id}/discounts": {"reason": "another"},
    "POST /restaurant/tabs/{tab_id}/move": {"table_id": "another"},
    "POST /restaurant/venues/{venue_id}/till/movements": {"amount": 7},
    "POST /restaurant/venues/{venue_id}/till/counts": {"reason": "another"},
    "POST /restaurant/tabs/{tab_id}/close": {"reason": "another"},
    "POST /restaurant/venues": {"name": "another"},
    **{f"POST /restaurant/venues/{{venue_id}}/{path}": changes for path, changes in OF_VENUES.items()},
}
# What is no picture is refused whatever its key is; a picture under a key is in `test_menus.py`.
NO_PICTURE = "POST /restaurant/venues/{venue_id}/images"
# Refused for every line there is, for a link that nobody paid, and for a bill with something open; a refusal changes nothing, so nothing is remembered of it.
REFUSED = [name for name in POSTS if CASES[name].status == 409]


@pytest.fixture(scope="module")
def place(databases: Databases) -> Iterator[Town]:
    url = databases.migrated()
    with town(url) as built:
        yield built
    databases.drop(url)


def call(place: Town, name: str, key: str, changes: dict[str, Any] | None = None) -> Answer:
    # Of one key, one number: the same call again must be the same to the letter.
    number = PHONES.setdefault(key, next(FRESH_PHONES))
    things = {**place.own.things, "fresh_phone": number, "fresh_word": f"w{number}"}
    if name == START:
        # An import starts once.
        things["import_id"] = IMPORTS.setdefault(key, "") or checked_import(place, key, number)
    if name == COUNT_CASH:
        # The cash of a shift is counted once.
        things["shift_id"] = SHIFTS.setdefault(key, "") or ended_shift(place, key)
    if name == "POST /loyalty/redemptions":
        # An order has one of each kind.
        if key not in SEATS:
            SEATS[key] = seat(place, place.own, f"T{number}")
        things["redeemable_order_id"] = SEATS[key]["order_id"]
    if name == "POST /loyalty/gifts/{gift_id}/cancel":
        # A card is cancelled once.
        if key not in GIFTS:
            GIFTS[key] = place.ask("POST", "/loyalty/gifts", {"amount": 5, "paid_by": "card"})[1]["id"]
        things["spare_gift_id"] = GIFTS[key]
    if any(part in name for part in SEATED):
        if key not in SEATS:
            SEATS[key] = seat(place, place.own, f"T{number}")
        things.update(SEATS[key])
    path, body = written(place, name, things)
    return ask(
        place.product.api + path,
        body=body if changes is None else {**body, **changes},
        key=place.own.key,
        headers={"Idempotency-Key": key},
    )


def checked_import(place: Town, key: str, number: str) -> str:
    IMPORTS[key] = place.ask("POST", "/contacts/import", {"csv": f"phone\n{number}\n"})[1]["id"]
    return IMPORTS[key]


def ended_shift(place: Town, key: str) -> str:
    courier = f"/restaurant/couriers/{place.own.things['spare_courier_id']}"
    for working in (True, False):
        assert place.ask("PATCH", f"{courier}/shift", {"working": working})[0] == 200
    SHIFTS[key] = place.ask("GET", f"{courier}/shifts")[1]["data"][0]["id"]
    return SHIFTS[key]


def come_to_rest(place: Town) -> None:
    """What was started by a call and goes on behind it is over."""

    def running() -> bool:
        paths = ("/contacts/imports?limit=200", "/contacts/jobs?limit=200")
        return any(one["state"] == "running" for path in paths for one in place.ask("GET", path)[1]["data"])

    wait_until(lambda: not running(), "the imports and the jobs")


def count(place: Town) -> dict[str, int]:
    """How much the account has of everything, once nothing is added to it any more by what was called before."""
    looks: list[dict[str, int]] = [{}]

    def is_at_rest() -> bool:
        come_to_rest(place)
        looks.append({name: len(found) for name, found in place.everything_of(place.own).items()})
        return looks[-1] == looks[-2]

    wait_until(is_at_rest, "everything that the calls have caused")
    return looks[-1]


def test_every_post_is_here() -> None:
    # What operators do is repeated in `test_operator.py`.
    elsewhere = [route for route in route_table(HANDLERS, {}).routes if route.template.startswith("/operator/")]
    others = [route for route in route_table(HANDLERS, {}).routes if route not in elsewhere]
    assert len(POSTS) == sum(route.method == "POST" for route in others)


@pytest.mark.timeout(300)
def test_the_same_call_again_is_answered_alike_and_done_once(place: Town) -> None:
    first: dict[str, Answer] = {}
    with cases() as tried:
        for name in (name for name in POSTS if name not in (*REFUSED, NO_PICTURE)):
            with tried.case(name):
                answer = call(place, name, f"again-{POSTS.index(name)}")
                assert answer.status == CASES[name].status, answer.raw
                assert "idempotent-replayed" not in answer.headers
                first[name] = answer
    # A look at everything costs more than all the calls between two of them.
    before = count(place)
    with cases() as tried:
        for name, answer in first.items():
            with tried.case(name):
                again = call(place, name, f"again-{POSTS.index(name)}")
                assert (again.status, again.raw) == (answer.status, answer.raw)
                assert again.headers["idempotent-replayed"] == "true"
    assert count(place) == before


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_is_the_same_again(place: Town, name: str) -> None:
    answers = [call(place, name, f"refused-{POSTS.index(name)}") for _ in range(2)]
    codes = {
        "accept": "nothing_to_decide",
        "settle": "nothing_to_settle",
        "refunds": "link_not_paid",
        "close-tab": "bill_open",
        "close": "nothing_to_close",
    }
    code = codes.get(name.rpartition("/")[2], "kind_unavailable")
    if "/automations/" in name and code == "kind_unavailable":
        code = "automation_state"
    if "/campaigns/" in name:
        code = "campaign_state"
    assert [answer.refused() for answer in answers] == [(409, code)] * 2


@pytest.mark.timeout(300)
def test_another_body_under_the_same_key_is_refused(place: Town) -> None:
    names = [name for name in POSTS if CASES[name].body is not None and name not in (*REFUSED, NO_PICTURE)]
    with cases() as tried:
        for name in names:
            with tried.case(name):
                assert call(place, name, f"other-{POSTS.index(name)}").status == CASES[name].status
    before = count(place)
    with cases() as tried:
        for name in names:
            with tried.case(name):
                other = OTHER_BODY.get(name, {"phone": "447700900123"})
                refused = call(place, name, f"other-{POSTS.index(name)}", other).refused()
                assert refused == (422, "idempotency_key_reused")
    assert count(place) == before


def test_a_file_that_is_gone_does_not_change_the_answer(place: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    first = call(place, "POST /messages/send-media", "gone")
    monkeypatch.delitem(shelf.FILES, "/menu.pdf")
    again = call(place, "POST /messages/send-media", "gone")
    assert (again.status, again.raw) == (first.status, first.raw)
    assert call(place, "POST /messages/send-media", "too-late").refused() == (422, "media_unreachable")


async def test_while_an_effect_is_under_way_the_second_call_is_told_to_wait(database_url: str) -> None:
    async with gateway(database_url) as one:
        call, other = Call("POST /x", "k", "body"), Call("POST /x", "k", "another body")
        go, times = asyncio.Event(), []

        async def effect() -> StoredAnswer:
            times.append(1)
            await go.wait()
            return StoredAnswer(200, b"{}")

        first = asyncio.create_task(one.idempotency.after(1, call, effect))
        while not times:
            await asyncio.sleep(0)
        for again, code in ((Call("POST /x", "k", "body"), "idempotency_in_flight"), (other, "idempotency_key_reused")):
            with pytest.raises(Problem) as caught:
                await one.idempotency.after(1, again, effect)
            assert caught.value.code == code
        go.set()
        assert not (await first).replayed
        assert (await one.idempotency.after(1, call, effect)).replayed
        assert len(times) == 1


async def test_an_effect_that_fails_leaves_its_key_free(database_url: str) -> None:
    async with gateway(database_url) as one:
        call = Call("POST /x", "k", "body")

        async def fails() -> StoredAnswer:
            raise Conflict("Not now.")

        async def works() -> StoredAnswer:
            return StoredAnswer(200, b"{}")

        with pytest.raises(Conflict):
            await one.idempotency.after(1, call, fails)
        assert not (await one.idempotency.after(1, call, works)).replayed


async def test_a_secret_answer_is_sealed_at_rest_and_opened_again(database_url: str) -> None:
    async with gateway(database_url) as one:
        call = Call("POST /x", "k", "body")

        async def work(tx: Tx) -> StoredAnswer:
            return StoredAnswer(201, b'{"key": "very secret"}')

        first = await one.idempotency.once(1, call, work, seal=one.box)
        again = await one.idempotency.once(1, call, work, seal=one.box)
        assert (first.body, again.body, again.replayed) == (b'{"key": "very secret"}', b'{"key": "very secret"}', True)
        (row,) = await one.db.all(select(idempotency).where(idempotency.c.account_id == 1))
        assert "secret" not in row["body"]
        with pytest.raises(Conflict):
            await one.idempotency.once(1, call, work, seal=SecretBox("another key " * 4))
