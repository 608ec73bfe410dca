"""Carts: nobody is reminded of what they have bought, in whatever order a shop tells of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import permutations
from typing import Any

import pytest

from tablegram.storage.database import Tx
from tablegram.stores.carts import store as cart_store
from tablegram.stores.carts.model import Cart
from tablegram.stores.ports import Good, ShopCustomer
from tablegram.values.clock import DAY_MS, HOUR_MS
from tests.messaging.gateway import gateway, phone
from tests.stores.shopfront import Shopfront, shopfront

pytestmark = pytest.mark.later

CART: dict[str, Any] = {
    "amount": 90_000, "currency": "TRY", "goods": (Good(name="Havlu"),), "url": "https://shop.example/cart/1",
}  # fmt: skip
STEPS = ("checkout", "update", "buy", "timer", "timer")
BY = ("checkout", "phone", "email")


class Customer:
    """One customer's cart and order. `by` is what ties the two together."""

    def __init__(self, shop: Shopfront, number: int, by: str) -> None:
        self.shop = shop
        self.by = by
        self.name = f"c{number}"
        self.phone = phone(number)
        self.begun_at = shop.clock.now_ms()

    def person(self, *, of_order: bool) -> ShopCustomer:
        is_named = not of_order or self.by == "email"
        return ShopCustomer(name="Ayşe", email=f"{self.name}@shop.example" if is_named else "", consents=True)

    async def step(self, name: str) -> None:
        shop = self.shop
        if name == "timer":
            shop.clock.advance(61 * 60)
            await shop.look()
        elif name == "delete":
            await shop.tell("checkout_deleted", self.name, at=self.begun_at + 30)
        elif name == "complete":
            await shop.tell("checkout_completed", self.name, at=self.begun_at + 30)
        elif name == "buy":
            # From another source, where the order does not name its checkout.
            is_named = self.by == "checkout"
            await shop.tell(
                "order_created", f"order-{self.name}", at=self.begun_at + 20, amount=100_000, currency="TRY",
                checkout=self.name if is_named else "", source="src_1" if is_named else "src_2",
                phone=self.phone if self.by == "phone" else "", person=self.person(of_order=True),
            )  # fmt: skip
        else:
            late = 10 if name == "update" else 0
            person = self.person(of_order=False)
            await shop.tell(
                "checkout_changed", self.name, at=self.begun_at + late, phone=self.phone, person=person, **CART
            )

    async def reminders(self) -> int:
        rows = await self.shop.one.rows()
        return sum(row["phone"] == self.phone and row["state"] != "cancelled" for row in rows)


async def test_nobody_is_reminded_after_a_purchase_in_any_order_of_events_each_told_twice(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=60)
        await shop.set("abandoned_cart", step=2, delay_min=60)
        number = 0
        for order in sorted(set(permutations(STEPS))):
            customers = [Customer(shop, number + place, by) for place, by in enumerate(BY)]
            number += len(BY)
            sent = dict.fromkeys(BY, 0)
            for index, step in enumerate(order):
                # Together, since only the clock is shared.
                for customer in customers:
                    if step != "timer":
                        await customer.step(step)
                        await customer.step(step)
                if step == "timer":
                    await customers[0].step("timer")
                for customer in customers:
                    now_sent = await customer.reminders()
                    if "buy" in order[: index + 1]:
                        # What still waited for its line was taken back, and nothing came after.
                        assert now_sent == 0, (order, step, customer.by)
                    else:
                        assert now_sent >= sent[customer.by]
                    sent[customer.by] = now_sent
        assert not [cart for cart in await shop.carts() if cart["state"] == "open"]


async def test_a_reminder_goes_when_nothing_came_and_the_sale_counts_once(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", text="{name}: {link}", delay_min=60, buttons=[])
        await shop.set("abandoned_cart", step=3, text="last: {link}", delay_min=600, buttons=[])
        customer = Customer(shop, 1, "checkout")
        for step in ("checkout", "timer"):
            await customer.step(step)
        # The line has sent it: nobody takes it back.
        await shop.one.drains.queues.scan()
        await shop.one.until_states("sent")
        assert await shop.texts() == ["Ayşe: https://shop.example/cart/1"]
        (cart,) = await shop.carts()
        assert (cart["state"], cart["step"], cart["reminders"]) == ("open", 3, 1)
        assert cart["due_at"] == shop.clock.now_ms() + 10 * HOUR_MS
        await customer.step("complete")
        await customer.step("buy")
        await customer.step("buy")
        (cart,) = await shop.carts()
        assert (cart["state"], cart["bought_amount"], cart["bought_currency"]) == ("recovered", 100_000, "TRY")
        assert (cart["order_reference"], cart["due_at"]) == ("order-c1", None)
        shop.clock.advance(DAY_MS / 1_000)
        assert await shop.look() == 0


async def test_who_finds_the_purchase_of_a_reminded_cart_tells_of_it_once(database_url: str) -> None:
    """The order itself is one; a checkout that is told of late is another, and the clock a third."""
    async with shopfront(database_url) as shop:
        told: list[tuple[str, str]] = []

        async def recovered(tx: Tx, cart: Cart) -> None:
            told.append((cart.reference, cart.state))

        shop.reminding.recovered.append(recovered)
        await shop.set("abandoned_cart", delay_min=0, buttons=[])
        await shop.set("abandoned_cart", step=2, delay_min=60, buttons=[])
        unnamed, named = (
            ShopCustomer(name="Ayşe", consents=True),
            ShopCustomer(name="Ayşe", email="a@shop.example", consents=True),
        )
        begun = shop.clock.now_ms()
        for number in (1, 2):
            await shop.tell("checkout_changed", f"c{number}", phone=phone(number), person=unnamed, **CART)
        assert await shop.look() == 2
        # Nothing ties the order to the first cart, until the checkout says whose it is.
        await shop.tell("order_created", "o1", at=begun + 1_000, phone="", person=named, source="src_2")
        assert told == []
        late = {"at": begun + 2_000, "phone": phone(1), "person": named}
        shop.clock.advance(10)
        for _ in range(2):
            await shop.tell("checkout_changed", "c1", **late, **CART)
        assert told == [("c1", "recovered")]
        # Another process keeps the purchase in the moment in which this one has looked for carts.
        kept = {
            "account_id": 1, "source_id": "src_1", "reference": "o2", "checkout": "c2", "phone": "", "email": "",
            "amount": 5, "currency": "TRY", "at": begun + 1_000, "created_at": begun,
        }  # fmt: skip
        await shop.db.put((cart_store.NOTE_PURCHASE, kept))
        shop.clock.advance(61 * 60)
        assert [await shop.look(), await shop.look()] == [0, 0]
        assert told == [("c1", "recovered"), ("c2", "recovered")]
        bought = {row["reference"]: (row["state"], row["order_reference"]) for row in await shop.carts()}
        assert bought == {"c1": ("recovered", ""), "c2": ("recovered", "o2")}
        await shop.tell("order_created", "o2", at=begun + 1_000, checkout="c2", phone=phone(2))
        assert len(told) == 2


async def test_consent_decides_and_the_customers_own_word_counts_first(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=0)
        for number, consents in enumerate((None, False, True)):
            person = ShopCustomer(name="Ayşe", consents=consents)
            await shop.tell("checkout_changed", f"c{number}", phone=phone(number), person=person, **CART)
        await shop.tell("checkout_changed", "c9", phone="", problem="no_phone", **CART)
        await shop.look()
        assert await shop.reasons() == [
            ("skipped", "no_consent"), ("skipped", "no_consent"), ("sent", ""), ("skipped", "no_phone"),
        ]  # fmt: skip


async def test_a_new_cart_after_a_purchase_is_a_cart(database_url: str) -> None:
    async with shopfront(database_url) as shop:
        await shop.set("abandoned_cart", delay_min=60)
        customer = Customer(shop, 1, "phone")
        await customer.step("buy")
        shop.clock.advance(HOUR_MS / 1_000)
        later = Customer(shop, 1, "phone")
        later.name = "another"
        for step in ("checkout", "timer"):
            await later.step(step)
        assert await later.reminders() == 1
        # Deleted before it was told of: what comes late starts no timer.
        gone = Customer(shop, 2, "phone")
        for step in ("delete", "checkout", "timer"):
            await gone.step(step)
        assert await gone.reminders() == 0


async def test_two_processes_at_once_remind_nobody_who_has_bought(database_url: str) -> None:
    """A checkout, its purchase and the clock in the same moment: whoever is last finds what the others kept."""
    async with shopfront(database_url) as shop, gateway(database_url, beside=shop.one) as other:
        await shop.set("abandoned_cart", delay_min=0)
        beside = Shopfront(other, shop.line)
        pairs: list[tuple[str, str]] = [("checkout", "buy"), ("timer", "buy"), ("buy", "timer"), ("update", "buy")]
        for number in range(40):
            first, second = pairs[number % 4]
            here, there = Customer(shop, number, BY[number % 3]), Customer(beside, number, BY[number % 3])
            there.begun_at = here.begun_at
            if first != "checkout":
                await here.step("checkout")
            work: list[Callable[[], Awaitable[Any]]] = [_work(here, first), _work(there, second)]
            await asyncio.gather(*(one() for one in work))
            for _ in range(2):
                shop.clock.advance(60)
                await shop.look()
            # A reminder that was queued before the purchase is taken back with it.
            assert await here.reminders() == 0, (number, first, second)


def _work(customer: Customer, step: str) -> Callable[[], Awaitable[Any]]:
    return customer.shop.look if step == "timer" else lambda: customer.step(step)
