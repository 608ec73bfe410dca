"""What an order is when little was said of it, and what a moment decides: defaults, free orders, ages, what ends meanwhile."""

from __future__ import annotations

import msgspec
import pytest

from tablegram.engine.idempotency import Call
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.restaurant.texts.drafts import LIVES_MS
from tablegram.restaurant.venues import Venue
from tests.payments.gate.till import paid_house
from tests.restaurant.flows.house import house

pytestmark = pytest.mark.once
TEXT = "iki lahmacun ve bir künefe lütfen, masa 4"


async def test_a_waiter_who_names_a_table_means_it_and_else_what_the_venue_offers_first(database_url: str) -> None:
    async with house(database_url) as one:
        await one.change_venue(order_types=("takeaway", "dine_in"))
        fields: TakeFields = {"venue_id": one.venue.id, "lines": [one.line("Lahmacun")]}
        for more, kind in (({"table_id": (await one.table("9")).id}, "dine_in"), ({}, "takeaway")):
            given: TakeFields = {**fields, **more}  # type: ignore[typeddict-item]
            answer = await one.orders.take(one.staff, given, Call("/orders"))
            assert msgspec.to_builtins(answer.value)["order_type"] == kind


async def test_an_order_of_nothing_is_not_paid_first_and_a_strangers_waits_for_a_nod(database_url: str) -> None:
    async with paid_house(database_url) as one:
        await one.house.change_item("Lahmacun", price=0)
        await one.order(one.house.line("Lahmacun"), table=None, phone="905559998877", name="Can")
        assert (await one.standing())[0] == "awaiting_confirmation"
        await one.order(one.house.line("Künefe"), table=None, phone="905559998877", name="Can")
        assert await one.standing() == ("awaiting_payment", "link_sent")


async def test_who_orders_while_it_is_closed_hears_of_their_cart_if_they_have_one(database_url: str) -> None:
    async with house(database_url) as one:
        # From eleven to twenty past one, while the last orders are taken, and then past the end.
        one.clock.advance(14 * 3_600 + 20 * 60)
        cart = await one.cart()
        one.clock.advance(3_600)
        await one.write(cart["text"])
        assert (await one.said())[-1].endswith("Your cart is kept; send the same message again then.")
        await one.write(TEXT)
        assert "Sepetiniz" not in (await one.said())[-1]
        assert await one.placed() == []


async def test_staff_see_how_long_a_guest_has_been_waiting_for_an_answer(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write(TEXT)
        await one.act((await one.order())["order_id"], "start")
        await one.write("künefe olmasın")
        one.clock.advance(90)
        (request,) = (await one.orders.board(one.staff, one.venue.id)).requests
        assert request.age_s == 90


async def test_the_word_that_an_unconfirmed_order_ended_goes_out_at_once_and_one_that_is_gone_ends_nothing(
    database_url: str,
) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write(TEXT)
        heard: list[Venue] = []
        one.product.order_clock._ordering.listeners.append(heard.append)
        one.clock.advance(LIVES_MS // 1_000 + 1)
        now = one.clock.now_ms()
        clock = one.product.order_clock
        assert await clock.drain.hold()
        # Erased with its guest after somebody had found it due.
        await clock._let_go(1, "drf_gone", now)
        assert (len(await one.said()), heard) == (1, [])
        await clock.end_due()
        assert (len(await one.said()), [venue.id for venue in heard]) == (2, [one.venue.id])
