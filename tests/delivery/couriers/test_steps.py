"""A courier's steps: when each was made, until when it can be taken back, and that what came of it is told once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tablegram.errors import Conflict, ScopeMissing
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Statement
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tests.delivery.couriers.depot import Depot
from tests.restaurant.flows.house import house

pytestmark = pytest.mark.later

# Ten seconds that are offered, and five that it may be under way.
TAKEN_BACK_S = 15


async def test_what_is_not_delivered_is_given_to_nobody(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        number = await depot.order(order_type="takeaway", address="")
        with pytest.raises(Conflict) as refused:
            await depot.assign(number, mert.id)
        assert (refused.value.code, await depot.states(number)) == ("not_a_delivery", ("ready", ""))


async def test_a_delivery_bears_the_moment_in_which_it_was_picked_up_and_no_earlier_one(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        given = await depot.assign(await depot.order(), mert.id)
        assert given.picked_up_at is None
        moments = []
        for action in ("pick_up", "deliver"):
            one.clock.advance(60)
            moments.append((await depot.act(given.delivery_id, action)).picked_up_at)
        assert moments[0] is not None
        assert moments[0] > given.assigned_at
        assert moments[1] == moments[0]
        # Whoever forgot to say so has picked it up when it was delivered.
        other = await depot.assign(await depot.order(), mert.id)
        one.clock.advance(60)
        brought = await depot.act(other.delivery_id, "deliver")
        assert brought.picked_up_at == brought.ended_at


async def test_a_step_can_be_taken_back_for_so_long_and_not_a_moment_longer(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        number = await depot.order()
        given = await depot.assign(number, mert.id)
        for late_s in (0, 0.001):
            picked = await depot.act(given.delivery_id, "pick_up")
            one.clock.advance(TAKEN_BACK_S + late_s)
            if not late_s:
                await depot.undo(given.delivery_id, picked.step_id)
                assert await depot.states(number) == ("ready", "assigned")
        with pytest.raises(Conflict) as refused:
            await depot.undo(given.delivery_id, picked.step_id)
        assert refused.value.code == "undo_too_late"
        assert await depot.states(number) == ("out_for_delivery", "picked_up")


async def test_what_the_restaurant_has_moved_on_is_not_taken_back(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        number = await depot.order()
        given = await depot.assign(number, mert.id)
        brought = await depot.act(given.delivery_id, "deliver", paid="cash")
        await one.act(number, "complete")
        with pytest.raises(Conflict) as refused:
            await depot.undo(given.delivery_id, brought.step_id)
        assert refused.value.code == "step_overtaken"
        assert await depot.states(number) == ("completed", "delivered")


async def test_what_comes_of_a_step_is_told_once_however_often_it_is_asked_for(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        number = await depot.order()
        told: list[str] = []

        def tell(venue: Venue, statements: list[Statement]) -> None:
            told.append(venue.id)

        monkeypatch.setattr(one.product.of(RestaurantWorks).ordering, "told", tell)
        given, _ = [await depot.assign(number, mert.id, key="one") for _ in range(2)]
        assert told == [one.venue.id]
        picked, _ = [await depot.act(given.delivery_id, "pick_up", key="two") for _ in range(2)]
        assert len(told) == 2
        for _ in range(2):
            await depot.undo(given.delivery_id, picked.step_id)
        assert len(told) == 3
        assert await depot.states(number) == ("ready", "assigned")


async def test_only_who_may_sees_to_tours_and_the_board_shows_what_ended_last_first(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert")
        given = [(await depot.assign(await depot.order(), mert.id)).delivery_id for _ in range(3)]
        desk, nobody = depot.services.deliveries, replace(depot.owner, scopes=frozenset())
        with pytest.raises(ScopeMissing):
            await desk.arrange(nobody, mert.id, [*reversed(given)])
        assert [stop.delivery_id for stop in (await desk.tour(depot.owner, mert.id)).stops] == given
        for delivery_id in given:
            one.clock.advance(1)
            await depot.act(delivery_id, "deliver")
        ended = (await desk.board(depot.owner, one.venue.id)).ended
        assert [delivery.delivery_id for delivery in ended] == [*reversed(given)]
