"""Stations tap, take back and recall, waiters change orders: the order is what its lines say, whatever happens when."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from itertools import product
from typing import Any, get_args

import pytest

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.restaurant.kitchen import keeping as progress
from tablegram.restaurant.kitchen import store as kitchen_store
from tablegram.restaurant.kitchen import taps
from tablegram.restaurant.kitchen.progress import (
    IN_KITCHEN,
    TABLE,
    TAPS,
    KitchenLine,
    LineState,
    Mark,
    line_keys,
    order_state,
    shares,
    summed,
)
from tablegram.restaurant.kitchen.taps import Tapped
from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders import revising
from tablegram.restaurant.orders.event import UPDATED
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import STATES
from tablegram.storage.database import Database, Tx
from tests.restaurant.kept import NOON, priced, store
from tests.restaurant.orders.placing import placing

pytestmark = pytest.mark.later

KEBAB = DishLine("adana", 1, (Choice("single"),))
FOOD = (KEBAB, DishLine("rice", 2), DishLine("lentil", 1), DishLine("rice", 1, note="plain"))
DRINKS = (DishLine("coke", 2), DishLine("water", 1), DishLine("lemonade", 3))


def test_every_pair_of_a_line_and_a_tap_is_defined() -> None:
    assert set(TABLE) == set(product(get_args(LineState), TAPS))
    assert [summed(one) for one in ((), ("waiting",), ("waiting", "done"), ("cooking",), ("done", "done"))] == [
        "waiting", "waiting", "cooking", "cooking", "done",
    ]  # fmt: skip


def test_a_line_is_known_again_whatever_else_changes_in_the_order() -> None:
    before, after = priced(*FOOD, *DRINKS), priced(*DRINKS[::-1], DishLine("rice", 9), KEBAB)
    assert len(set(line_keys(before))) == len(before)
    assert {line_keys(before)[0], line_keys(before)[1]} < set(line_keys(after))
    # The same twice is two lines.
    twice = line_keys(priced(KEBAB, KEBAB))
    assert twice[1] == f"{twice[0]}-2"


def test_an_order_without_marks_is_as_far_as_its_own_state_says() -> None:
    for state in STATES:
        assumed = {one.state for one in shares(priced(*FOOD), {}, state)}
        early = state in ("awaiting_confirmation", "awaiting_payment", "sent_to_kitchen")
        assert assumed == {"waiting" if early else "cooking" if state == "preparing" else "done"}


def test_more_of_a_dish_that_was_done_is_still_to_be_made_and_less_is_done_again() -> None:
    key = line_keys(priced(DishLine("rice", 2)))[0]
    marks = {key: Mark(line=key, station="kitchen", state="done", portions=2, tap="t")}
    told = [(shares(priced(DishLine("rice", many)), marks, "ready")[0]) for many in (1, 2, 3)]
    assert [(one.state, one.made) for one in told] == [("done", 1), ("done", 2), ("cooking", 2)]


async def _placed(db: Database, *lines: DishLine) -> Order:
    return (await db.write(lambda tx: orders.place(tx, placing(lines=priced(*lines)), NOON))).order


async def _do(db: Database, work: Callable[[Tx], Awaitable[Any]]) -> Any:
    return await db.write(work)


async def _tap(db: Database, order: Order, action: Any, at: int = NOON, **more: Any) -> Tapped:
    made: Tapped = await db.write(lambda tx: taps.tap(tx, 1, order.order_id, action, "Ayşe", at, **more))
    return made


async def _now(db: Database, order: Order) -> tuple[str, dict[str, str]]:
    async def look(tx: Tx) -> tuple[str, dict[str, str]]:
        kept = await orders.find(tx, 1, order.order_id)
        return kept.state, {one.line.item_id: one.state for one in await progress.look(tx, kept)}

    return await db.snapshot(look)


async def test_the_bar_begins_and_finishes_its_own_and_the_order_is_ready_with_the_last(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, KEBAB, DRINKS[0])
        keys = line_keys(order.lines)
        begun = await _tap(db, order, "finish", station="bar")
        assert (begun.change.order.state, begun.change.announces) == ("preparing", UPDATED)
        assert await _now(db, order) == ("preparing", {"adana": "waiting", "coke": "done"})
        # A station that names somebody else's food, or has none in the order, is refused.
        for more, code in (
            ({"station": "bar", "lines": [keys[0]]}, "line_of_other_station"),
            ({"station": "grill"}, "station_unknown"),
            ({"lines": ["nothing"]}, "line_unknown"),
        ):
            with pytest.raises(Invalid) as refused:
                await _tap(db, order, "finish", **more)
            assert refused.value.errors[0].code == code
        again = await _tap(db, order, "finish", station="bar")
        assert (again.tap_id, again.change.changed) == (None, False)
        assert (await _tap(db, order, "start", station="kitchen")).change.changed is False
        done = await _tap(db, order, "finish", lines=[keys[0]])
        assert (done.change.order.state, done.change.announces) == ("ready", UPDATED)
        # The waiter has taken it: there is nothing left to tap, to take back or to recall.
        await _do(db, lambda tx: orders.happen(tx, 1, order.order_id, "serve", "staff", "Mehmet", NOON))
        for work in (
            _tap(db, order, "recall"),
            _do(db, lambda tx: taps.undo(tx, 1, order.order_id, done.tap_id or "", "Ayşe", NOON)),
        ):
            with pytest.raises(Conflict) as over:
                await work
            assert over.value.code == "state_conflict"
        told = [row["event"] for row in await db.snapshot(lambda tx: orders.history(tx, order))]
        assert told == ["place", "start", "finish", "serve"]


async def test_a_tap_is_taken_back_for_ten_seconds_by_whoever_and_only_while_it_is_the_last(database_url: str) -> None:
    async with store(database_url) as db:
        order, other = await _placed(db, KEBAB, DRINKS[0]), await _placed(db, KEBAB)

        async def undo(tap: Tapped, at: int, of: Order = order) -> Tapped:
            made: Tapped = await db.write(lambda tx: taps.undo(tx, 1, of.order_id, tap.tap_id or "", "Can", at))
            return made

        whole = await _tap(db, order, "finish")
        assert whole.change.order.state == "ready"
        back = await undo(whole, NOON + 9_000)
        # The kitchen heard of it once; taking a tap back is no new order.
        assert (back.change.order.state, back.change.announces) == ("sent_to_kitchen", UPDATED)
        assert (await undo(whole, NOON + 9_000)).tap_id is None
        with pytest.raises(NotFound):
            await undo(whole, NOON, other)
        first = await _tap(db, order, "start", station="kitchen")
        await _tap(db, order, "finish", station="kitchen")
        for tap, at, code in ((first, NOON + 1, "tap_overtaken"), (first, NOON + 60_000, "undo_too_late")):
            with pytest.raises(Conflict) as refused:
                await undo(tap, at)
            assert refused.value.code == code
        log = await db.snapshot(lambda tx: taps.taps_of(tx, order))
        assert [(row["action"], row["by"], row["undone_by"]) for row in log] == [
            ("finish", "Ayşe", None), ("start", "Ayşe", None), ("finish", "Ayşe", "Can"),
        ]  # fmt: skip


async def test_an_order_that_is_moved_as_a_whole_takes_its_lines_along(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, KEBAB, DRINKS[0])

        async def happen(event: Any, at: int) -> None:
            await db.write(lambda tx: orders.happen(tx, 1, order.order_id, event, "staff", "Mehmet", at))

        await _tap(db, order, "finish", NOON, station="bar")
        await happen("finish", NOON + 1)
        assert await _now(db, order) == ("ready", {"adana": "done", "coke": "done"})
        # What was done last comes back, and not the drinks that were handed out before.
        await happen("recall", NOON + 2)
        assert await _now(db, order) == ("preparing", {"adana": "cooking", "coke": "done"})


async def test_an_order_of_before_keeps_what_its_state_says_when_one_station_taps(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, KEBAB, DRINKS[0])
        await db.write(lambda tx: orders.happen(tx, 1, order.order_id, "start", "staff", "Mehmet", NOON))
        for key in line_keys(order.lines):
            await db.put((kitchen_store.DROP, {"b_account": 1, "b_key": order.id, "b_line": key}))
        await _tap(db, order, "finish", station="bar")
        assert await _now(db, order) == ("preparing", {"adana": "cooking", "coke": "done"})


async def _seen(db: Database, order: Order) -> tuple[Order, list[KitchenLine]]:
    async def look(tx: Tx) -> tuple[Order, list[KitchenLine]]:
        kept = await orders.find(tx, 1, order.order_id)
        return kept, await progress.look(tx, kept)

    return await db.snapshot(look)


class Evening:
    """Anything that stations and waiters do to one order, in any order."""

    def __init__(self, db: Database, order: Order, chance: random.Random) -> None:
        self.db, self.order, self.chance = db, order, chance
        self.at, self.last = NOON, ""

    async def tap(self, keys: list[str]) -> None:
        few = self.chance.sample(keys, self.chance.randint(0, min(2, len(keys))))
        station = self.chance.choice(("", "", "kitchen", "bar"))
        tapped = await _tap(self.db, self.order, self.chance.choice(TAPS), self.at, station=station, lines=few)
        self.last = tapped.tap_id or self.last

    async def undo(self, _: list[str]) -> None:
        await self.db.write(lambda tx: taps.undo(tx, 1, self.order.order_id, self.last, "Can", self.at))

    async def whole(self, _: list[str]) -> None:
        event = self.chance.choice(TAPS)
        await self.db.write(lambda tx: orders.happen(tx, 1, self.order.order_id, event, "staff", "x", self.at))

    async def revise(self, _: list[str]) -> None:
        some = self.chance.sample((*FOOD, *DRINKS, DishLine("rice", 5)), self.chance.randint(1, 4))
        await self.db.write(lambda tx: revising.revise(tx, 1, self.order.order_id, priced(*some), (), (), "x", self.at))


async def _walk(db: Database, chance: random.Random) -> None:
    """After each step the order is what its lines say, and a change of the order has left what stayed as it was."""
    order = await _placed(db, *chance.sample(FOOD, 2), *chance.sample(DRINKS, chance.randint(0, 2)))
    evening = Evening(db, order, chance)
    for _ in range(14):
        evening.at += chance.choice((0, 1_000, 8_000, 20_000))
        kept, shown = await _seen(db, order)
        before = {one.key: one for one in shown}
        kind = chance.choice(("tap", "tap", "tap", "undo", "revise", "whole"))
        try:
            await getattr(evening, kind)(sorted(before))
        except (Conflict, Invalid, NotFound):
            assert await _seen(db, order) == (kept, shown)
            continue
        kept, found = await _seen(db, order)
        assert kept.state in IN_KITCHEN
        assert kept.state == order_state(found), (kind, kept.state, found)
        if kind == "revise":
            # What stayed is as far as it was; what is new, or came back, waits.
            new = [one for one in found if one.key not in before]
            assert {one.state for one in new} <= {"waiting"}
            assert all(one.mark == before[one.key].mark for one in found if one.key in before)


async def test_any_interleaving_of_taps_undos_and_changes_leaves_the_order_what_its_lines_say(
    database_url: str,
) -> None:
    async with store(database_url) as db:
        for seed in range(40):
            await _walk(db, random.Random(seed))
