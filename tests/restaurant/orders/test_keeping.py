from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import pytest

from tablegram.errors import Conflict, Gone, Invalid, NotFound
from tablegram.restaurant.bills import keeping as bills
from tablegram.restaurant.bills.model import Tab
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts.keeping import LIVES_MS, Cart
from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.event import CREATED, UPDATED
from tablegram.restaurant.orders.keeping import OrderChange, Placed
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra
from tablegram.storage.database import Database, Tx
from tests.restaurant.kept import NOON, priced, store
from tests.restaurant.orders.placing import placing


async def _cart(db: Database) -> Cart:
    cart, _ = await db.write(lambda tx: carts.open_cart(tx, 1, "v", "dine_in", "en", NOON, lines=[DishLine("tea", 2)]))
    return cart


async def _confirm(db: Database, code: str, now: int = NOON, **changes: Any) -> Placed:
    """What the flow does when a cart's text arrives."""

    async def work(tx: Tx) -> Placed:
        return await orders.place(tx, placing(**changes), now, await carts.lock(tx, 1, code))

    return await db.write(work)


async def _happen(db: Database, order: Order, event: Any, by: Any = "staff", **more: Any) -> OrderChange:
    return await db.write(
        lambda tx: orders.happen(tx, order.account_id, order.order_id, event, by, "Mehmet", NOON + 1_000, **more)
    )


async def test_one_cart_makes_one_order_however_often_its_text_arrives(database_url: str) -> None:
    async with store(database_url) as db:
        cart = await _cart(db)
        placed = await asyncio.gather(*(_confirm(db, cart.code, customer_phone="905551112233") for _ in range(6)))
        assert [one.is_new for one in placed].count(True) == 1
        assert {one.order.order_id for one in placed} == {"ORD-20261115-0001"}
        assert [one.announces for one in placed if one.announces] == [CREATED]
        # Late, when the cart itself would have expired, it is still the same order.
        late = await _confirm(db, cart.code, NOON + 2 * LIVES_MS)
        assert (late.order, late.is_new) == (placed[0].order, False)
        kept = await db.snapshot(lambda tx: carts.find(tx, 1, cart.code))
        assert (kept.state, kept.phone) == ("ordered", "905551112233")
        assert (await _confirm(db, (await _cart(db)).code)).order.order_id == "ORD-20261115-0002"


async def test_one_message_makes_one_order(database_url: str) -> None:
    async with store(database_url) as db:
        twice = [await db.write(lambda tx: orders.place(tx, placing(message_key="m1"), NOON)) for _ in range(2)]
        assert [one.is_new for one in twice] == [True, False]
        assert twice[0].order == twice[1].order


async def test_an_expired_or_empty_cart_makes_no_order_and_takes_no_number(database_url: str) -> None:
    async with store(database_url) as db:
        old = await _cart(db)
        with pytest.raises(Gone):
            await _confirm(db, old.code, NOON + LIVES_MS)
        with pytest.raises(Invalid):
            await _confirm(db, (await _cart(db)).code, lines=())
        assert (await _confirm(db, (await _cart(db)).code)).order.order_id.endswith("-0001")


async def test_an_order_comes_back_as_it_was_placed(database_url: str) -> None:
    async with store(database_url) as db:
        lines = priced(DishLine("adana", 2, (Choice("mild"), Choice("half")), "crisp"), language="tr")
        wish = placing(
            lines=lines, charges=(Extra("service", "Servis", 7_400),), discounts=(Extra("coupon", "Hoş geldin", 400),),
            table_id="t", table_label="12", waiter="Mehmet", notes="pencere\nkenarı", language="tr",
        )  # fmt: skip
        placed = await db.write(lambda tx: orders.place(tx, wish, NOON))
        found = await db.snapshot(lambda tx: orders.find(tx, 1, placed.order.order_id))
        assert found == placed.order
        assert (found.total, found.notes, found.state) == (81_000, "pencere kenarı", "sent_to_kitchen")
        with pytest.raises(NotFound):
            await db.snapshot(lambda tx: orders.find(tx, 2, placed.order.order_id))


async def test_a_day_in_an_orders_life_is_written_down(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(accepts_by_itself=False), NOON))).order
        told = [
            (await _happen(db, order, event)).announces
            for event in ("accept", "start", "finish", "serve", "pay", "complete")
        ]
        assert told == [CREATED, UPDATED, UPDATED, UPDATED, UPDATED, UPDATED]
        found = await db.snapshot(lambda tx: orders.find(tx, 1, order.order_id))
        assert (found.state, found.payment_state, found.closed_at) == ("completed", "paid", NOON + 1_000)
        history = await db.snapshot(lambda tx: orders.history(tx, order))
        assert [(row["number"], row["event"], row["state"]) for row in history] == [
            (1, "place", "awaiting_confirmation"), (2, "accept", "sent_to_kitchen"), (3, "start", "preparing"),
            (4, "finish", "ready"), (5, "serve", "served"), (6, "pay", "served"), (7, "complete", "completed"),
        ]  # fmt: skip
        assert await db.snapshot(lambda tx: orders.running(tx, 1, "v")) == []


async def test_what_is_refused_changes_nothing(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(), NOON))).order
        for event in ("accept", "deliver", "complete", "refund"):
            with pytest.raises(Conflict):
                await _happen(db, order, event)
        with pytest.raises(Conflict):
            await _happen(db, order, "start", "guest")
        assert await db.snapshot(lambda tx: orders.running(tx, 1, "v")) == [order]


async def test_a_rejection_has_a_reason_and_a_delay_its_minutes(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(accepts_by_itself=False), NOON))).order
        with pytest.raises(Invalid):
            await _happen(db, order, "reject")
        for minutes in (0, 241):
            with pytest.raises(Invalid):
                await _happen(db, order, "delay", delay_min=minutes)
        assert (await _happen(db, order, "delay", delay_min=15)).order.promised_at == NOON + 1_000 + 15 * 60_000
        assert (await _happen(db, order, "delay", delay_min=5)).order.promised_at == NOON + 1_000 + 20 * 60_000
        assert (await _happen(db, order, "reject", reason="No charcoal")).order.state == "rejected"
        history = await db.snapshot(lambda tx: orders.history(tx, order))
        assert (history[-1]["reason"], history[-1]["by"]) == ("No charcoal", "Mehmet")


async def test_the_payment_signal_comes_twice_and_the_kitchen_hears_once(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(payment_method="online_card"), NOON))).order
        assert order.state == "awaiting_payment"
        await _happen(db, order, "send_link", "clock")
        signals = await asyncio.gather(*(_happen(db, order, "pay", "provider") for _ in range(4)))
        assert [one.announces for one in signals if one.changed] == [CREATED]
        assert len(await db.snapshot(lambda tx: orders.history(tx, order))) == 3


async def test_money_after_the_end_is_flagged(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(payment_method="online_card"), NOON))).order
        await _happen(db, order, "expire", "clock")
        paid = await _happen(db, order, "pay", "provider")
        assert (paid.order.state, paid.order.payment_state, paid.needs_refund) == ("expired", "paid", True)


async def test_a_waiters_change_is_a_new_revision_and_two_tablets_do_not_step_on_each_other(database_url: str) -> None:
    async with store(database_url) as db:
        order = (await db.write(lambda tx: orders.place(tx, placing(), NOON))).order
        more = priced(DishLine("tea", 3), DishLine("baklava"))

        async def revise(lines: Any, revision: int | None = None) -> OrderChange:
            return await db.write(
                lambda tx: revising.revise(tx, 1, order.order_id, lines, (), (), "Ali", NOON, revision=revision)
            )

        changed = await revise(more, 1)
        assert (changed.order.revision, changed.order.total, changed.announces) == (2, 22_000, UPDATED)
        with pytest.raises(Conflict) as stale:
            await revise(priced(DishLine("tea")), 1)
        assert stale.value.code == "order_changed"
        assert not (await revise(more)).changed
        with pytest.raises(Invalid):
            await revise(())
        await _happen(db, order, "pay")
        with pytest.raises(Conflict):
            await revise(priced(DishLine("tea")))


async def test_a_tables_bill_is_the_orders_of_its_tab(database_url: str) -> None:
    async with store(database_url) as db:
        for tab in ("tab", "tab", "other"):
            await db.write(partial(lambda tab, tx: orders.place(tx, placing(tab_id=tab), NOON), tab))
        sat = Tab(account_id=1, id="tab", venue_id="v", table_id="t", state="open", opened_at=NOON, last_at=NOON)
        bill = await db.snapshot(lambda tx: bills.look(tx, sat))
        assert [one.order.total for one in bill.entries] == [4_000, 4_000]
