"""Stations at work: what the world hears of it, and many screens that tap at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import ScopeMissing
from tablegram.flows.restaurant.fields import TapFields
from tablegram.flows.restaurant.kitchen.answers import OrderProgress
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.kitchen.progress import Tap
from tablegram.restaurant.texts.words import speak
from tests.restaurant.flows.house import House, house

ROUTE = "POST /orders/progress"


async def tap(one: House, number: str, action: Tap, key: str | None = None, **fields: Any) -> OrderProgress:
    kitchen = one.product.of(RestaurantServices).kitchen
    call = Call(ROUTE, idempotency_key=key, fingerprint="f")
    given: TapFields = {"action": action, **fields}  # type: ignore[typeddict-item]
    return (await kitchen.tap(one.caller("kitchen"), number, given, call)).value


async def ready(one: House) -> list[str]:
    """Of which orders the guest was told that they are ready."""
    numbers = [str(row["order_id"]) for row in await one.placed()]
    said = await one.said()
    return [number for text in said for number in numbers if text == speak("tr")["ready"].format(order=number)]


async def test_webhooks_hear_of_the_order_and_the_guest_of_ready_once(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2), one.line("Ayran"), order_type="takeaway", language="tr")
        await one.write(cart["text"])
        number = str((await one.placed())[-1]["order_id"])
        kitchen = one.product.of(RestaurantServices).kitchen
        before = len(await one.told())
        # The bar begins, the kitchen begins, the bar is done: one of the three moves the order.
        taps: list[tuple[str, Tap]] = [("bar", "start"), ("kitchen", "start"), ("bar", "finish")]
        for station, action in taps:
            await tap(one, number, action, station=station)
        assert [body["status"] for body in (await one.told())[before:]] == ["preparing"]
        done = await tap(one, number, "finish", station="kitchen")
        await kitchen.undo(one.caller("kitchen"), number, done.tap_id, Call("undo"))
        await tap(one, number, "finish", station="kitchen")
        told = [(body["event"], body["status"]) for body in (await one.told())[before:]]
        assert told == [("restaurant.order_updated", state) for state in ("preparing", "ready", "preparing", "ready")]
        assert await ready(one) == [number]
        # A waiter takes out what is still to be made: what is left is ready, and the guest hears that.
        cart = await one.cart(one.line("Lahmacun", 2), one.line("Ayran"), order_type="takeaway", language="tr")
        await one.write(cart["text"])
        second = str((await one.placed())[-1]["order_id"])
        await tap(one, second, "finish", station="bar")
        changed = await one.orders.change(one.staff, second, {"lines": [one.line("Ayran")]})
        assert changed.status == "ready"
        assert await ready(one) == [number, second]


async def test_a_tap_under_one_key_acts_once_however_many_screens_send_it(database_url: str) -> None:
    async with house(database_url) as one:
        cart = await one.cart(one.line("Lahmacun", 2), one.line("Ayran"))
        await one.write(cart["text"])
        number = str((await one.placed())[-1]["order_id"])
        first = await tap(one, number, "start", "k1", station="bar")
        again = await tap(one, number, "start", "k1", station="bar")
        assert again == first
        # Without a key the second of two equal taps has nothing to do; two stations at once are both heard.
        await asyncio.gather(
            *(tap(one, number, "finish", station=station) for station in ("bar", "kitchen") for _ in range(4))
        )
        shown = await one.product.of(RestaurantServices).kitchen.progress(one.staff, number)
        assert shown.status == "ready"
        assert sorted((row.station, row.action) for row in shown.taps) == [
            ("bar", "finish"), ("bar", "start"), ("kitchen", "finish"),
        ]  # fmt: skip
        with pytest.raises(ScopeMissing):
            await one.product.of(RestaurantServices).kitchen.progress(one.caller("developer"), number)
