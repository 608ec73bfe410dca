"""Carts between two moments: told before anybody wanted reminders, bought twice, bought late, one of several."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.stores.carts.keeping import RECOVERED_WITHIN_MS
from tests.messaging.gateway import phone
from tests.stores.shopfront import Shopfront, shopfront

pytestmark = pytest.mark.later


async def bought(shop: Shopfront) -> dict[str, tuple[str, str]]:
    return {row["reference"]: (row["state"], row["order_reference"]) for row in await shop.carts()}


async def test_who_touches_a_cart_that_is_older_than_the_reminders_hears_the_first_of_them(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        customer: dict[str, Any] = {"phone": phone(1), "url": "https://shop.example/cart/1"}
        await shop.tell("checkout_changed", "c1", **customer)
        assert await shop.look() == 0
        for step, text in ((1, "first"), (2, "second")):
            await shop.set("abandoned_cart", step=step, text=text, delay_min=0, buttons=[])
        shop.clock.advance(60)
        await shop.tell("checkout_changed", "c1", **customer)
        assert (await shop.look(), await shop.texts()) == (1, ["first"])


async def test_a_second_order_of_a_checkout_leaves_the_sale_to_the_first(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=60)
        await shop.tell("checkout_changed", "c1", phone=phone(1))
        for order, amount in (("o1", 500), ("o2", 900)):
            shop.clock.advance(1)
            await shop.tell("order_created", order, checkout="c1", phone=phone(1), amount=amount, currency="TRY")
        (cart,) = await shop.carts()
        assert (cart["state"], cart["order_reference"], cart["bought_amount"]) == ("bought", "o1", 500)


async def test_the_sale_is_that_of_the_cart_that_was_reminded_of(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=0, buttons=[])
        await shop.set("abandoned_cart", step=2, delay_min=600, buttons=[])
        await shop.tell("checkout_changed", "reminded", phone=phone(1))
        assert await shop.look() == 1
        shop.clock.advance(60)
        await shop.tell("checkout_changed", "newer", phone=phone(1))
        await shop.tell("order_created", "o1", phone=phone(1), source="src_2")
        assert await bought(shop) == {"reminded": ("recovered", "o1"), "newer": ("bought", "")}


async def test_a_cart_of_which_all_was_said_is_bought_within_a_week_to_the_moment(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=0, buttons=[])
        for number, late_ms in ((1, 0), (2, 1)):
            await shop.tell("checkout_changed", f"c{number}", phone=phone(number))
            assert await shop.look() == 1
            shop.clock.advance((RECOVERED_WITHIN_MS + late_ms) / 1_000)
            await shop.tell("order_created", f"o{number}", phone=phone(number))
        assert await bought(shop) == {"c1": ("recovered", "o1"), "c2": ("left", "")}
