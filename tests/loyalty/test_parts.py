"""A part goes back: of an order's money, which takes points along; of what points took off, which brings points back."""

from __future__ import annotations

import pytest

from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.payments import LinkMoney
from tablegram.storage.database import Tx
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.crm.pool import PHONE
from tests.loyalty.test_coupons import coupon, order_of, ordered, redeem
from tests.loyalty.test_points import brought, desk, give, guest, moved, switch_on
from tests.restaurant.flows.house import House, house

pytestmark = pytest.mark.later


async def refund(one: House, number: str, reference: str, amount: int) -> None:
    ordering = one.product.of(RestaurantWorks).ordering
    now = one.clock.now_ms()

    async def work(tx: Tx) -> None:
        link = LinkMoney(reference, amount)
        change = await orders.happen(tx, 1, number, "refund_part", "provider", "pay", now, link=link)
        await ordering.follow(tx, one.venue, change, "refund_part", now, tells=False)

    await one.db.write(work)


async def test_each_part_of_the_money_takes_the_points_that_it_brought(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        number = await brought(one)
        total = (await one.placed())[-1]["total"]
        ((_, points, _, _),) = await moved(one)
        await refund(one, number, "first", 1_500)
        left = (total - 1_500) // 1_000
        assert (await moved(one))[-1] == ("reverse", left - points, 0, left)
        # What takes no whole point takes none; then most of the rest, and points that were used meanwhile are not owed.
        await refund(one, number, "second", 1)
        kept = (total - 1_501) // 1_000
        await give(one, -(kept - 2))
        await refund(one, number, "third", total - 1_501 - 1_000)
        assert (await moved(one))[-1] == ("reverse", -2, kept - 1 - 2, 0)
        member = await desk(one).member(one.caller("owner"), await guest(one))
        assert member.balance == 0
        assert member.given == member.taken


async def test_an_order_that_becomes_smaller_gives_back_points_that_it_does_not_need(database_url: str) -> None:
    async with house(database_url) as one:
        await switch_on(one)
        await brought(one)
        await give(one, 5_000)
        held = (await moved(one))[-1][3]
        number = await ordered(one, PHONE, one.line("Lahmacun", 3))
        each = one.item("Lahmacun").price
        used = await redeem(one, number, points=0)
        assert (used["amount"], used["points"]) == (3 * each / 100, 3 * each // 50)
        assert (await order_of(one, number))["total"] == 0
        # Two of them are taken out: what one costs is enough.
        await one.orders.change(one.staff, number, {"lines": [one.line("Lahmacun", 1)]})
        after = await order_of(one, number)
        assert (after["total"], after["discounts"][0]["amount"]) == (0, each)
        assert (await moved(one))[-1] == ("give_back", 2 * each // 50, 0, held - each // 50)
        takings = await one.product.of(RestaurantServices).takings.figures(
            one.caller("owner"), one.venue.id, None, None
        )
        assert takings.discounts == each / 100
        # More than before is paid for with money; called off, the rest comes back, and no point twice.
        await one.orders.change(one.staff, number, {"lines": [one.line("Lahmacun", 2)]})
        assert (await order_of(one, number))["total"] == each
        await one.act(number, "cancel")
        assert (await moved(one))[-1] == ("give_back", each // 50, 0, held)
        # A coupon that takes less off keeps its use.
        await coupon(one, code="BIG", gives="amount", amount=2 * each / 100, currency="TRY")
        second = await ordered(one, PHONE, one.line("Lahmacun", 3))
        await redeem(one, second, code="BIG")
        await one.orders.change(one.staff, second, {"lines": [one.line("Lahmacun", 1)]})
        assert [extra["amount"] for extra in (await order_of(one, second))["discounts"]] == [each]
        assert (await moved(one))[-1][3] == held
