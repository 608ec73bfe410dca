"""A guest with several orders takes one back, or all: they hear which one it was, and what still comes."""

from __future__ import annotations

import pytest

from tests.restaurant.flows.house import House, house

pytestmark = [pytest.mark.once, pytest.mark.later]


async def states(one: House) -> list[str]:
    return [row["state"] for row in await one.placed()]


async def test_one_of_two_is_cancelled_and_the_guest_hears_what_still_comes(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun 1 ayran masa 4")
        await one.write("bir künefe kaymaklı masa 4")
        first, second = [row["order_id"] for row in await one.placed()]
        before = len(await one.said())
        await one.write("iptal")
        assert await states(one) == ["sent_to_kitchen", "cancelled"]
        (told,) = (await one.said())[before:]
        assert f"*{second}* numaralı siparişiniz iptal edildi: 1 × Künefe (Kaymak)." in told
        assert f"*{first}* numaralı siparişiniz duruyor: 2 × Lahmacun, 1 × Ayran (Bardak)." in told
        await one.write("hepsini iptal et")
        assert await states(one) == ["cancelled", "cancelled"]
        assert "duruyor" not in (await one.said())[-1]


@pytest.mark.parametrize(
    "text", ["cancel everything", "cancel both", "cancel all my orders please", "hepsini iptal edin"]
)
async def test_all_are_cancelled_that_may_be_and_staff_are_asked_for_the_others(database_url: str, text: str) -> None:
    async with house(database_url) as one:
        for order in ("2 lahmacun masa 4", "bir künefe masa 4", "bir çay masa 4"):
            await one.write(order)
        begun = (await one.placed())[0]["order_id"]
        await one.act(begun, "start")
        await one.write(text)
        assert await states(one) == ["preparing", "cancelled", "cancelled"]
        (request,) = (await one.orders.board(one.staff, one.venue.id)).requests
        assert (request.kind, request.order_id) == ("cancel", begun)
        told = (await one.said())[-1]
        assert all(row["order_id"] in told for row in await one.placed())
        assert "sorduk" in told


async def test_an_order_is_cancelled_by_its_number(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun table 4")
        await one.write("one tea please, table 4")
        first = (await one.placed())[0]["order_id"]
        await one.write(f"cancel {first.lower()} please")
        assert await states(one) == ["cancelled", "sent_to_kitchen"]
        assert "Still coming" in (await one.said())[-1]


async def test_a_dish_or_a_doubt_cancels_no_other_order(database_url: str) -> None:
    async with house(database_url) as one:
        await one.write("2 lahmacun table 4")
        await one.write("one tea please, table 4")
        for text in ("don't cancel everything", "is everything on its way?"):
            await one.write(text)
            assert await states(one) == ["sent_to_kitchen", "sent_to_kitchen"], text
        await one.write("cancel the tea")
        assert await states(one) == ["sent_to_kitchen", "cancelled"]


async def test_who_lets_a_draft_go_hears_that_an_order_before_it_still_comes(database_url: str) -> None:
    async with house(database_url, reads_back=True) as one:
        await one.write("2 lahmacun masa 4")
        await one.write("evet")
        await one.write("bir künefe masa 4")
        await one.write("siparişi iptal edin")
        dropped, still = (await one.said())[-2:]
        assert "verilmedi" in dropped
        assert "duruyor: 2 × Lahmacun." in still
        assert await states(one) == ["sent_to_kitchen"]
        await one.write("hepsini iptal et")
        assert await states(one) == ["cancelled"]
        # With nothing before it there is nothing to add.
        told = len(await one.said())
        await one.write("bir künefe masa 4")
        await one.write("siparişi iptal edin")
        assert len(await one.said()) == told + 2
