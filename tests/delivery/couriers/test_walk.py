"""Whatever people do to orders and deliveries in whatever order: the two never part, and cash is counted once."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any, Literal

import pytest
from sqlalchemy import func, select

from tablegram.engine.idempotency import Call
from tablegram.errors import Conflict, Invalid, NotFound, Problem
from tablegram.storage.database import Query
from tablegram.storage.tables import order_deliveries, order_payments
from tests.delivery.couriers.depot import MERT, SEDA, Depot
from tests.restaurant.flows.house import House, house

# What the order is while its delivery is open.
Paid = Literal["cash", "card_on_delivery"]
_WITH = {"assigned": {"sent_to_kitchen", "preparing", "ready"}, "picked_up": {"out_for_delivery"}}


async def _check(depot: Depot, one: House) -> None:
    """What must hold after every step."""
    rows = await one.db.all(Query(select(order_deliveries).where(order_deliveries.c.account_id == 1)))
    orders = {row["id"]: row for row in await one.placed()}
    assert max(Counter(row["order_key"] for row in rows if row["ended_at"] is None).values(), default=0) <= 1
    for row in rows:
        order = orders[row["order_key"]]
        if row["ended_at"] is None:
            assert order["state"] in _WITH[row["state"]], (row["state"], order["state"])
        assert (row["ended_at"] is None) == (row["state"] in _WITH)
    last = {row["order_key"]: row["state"] for row in sorted(rows, key=lambda row: row["id"])}
    for key, state in last.items():
        if state == "delivered":
            assert orders[key]["state"] in ("delivered", "completed", "cancelled")
    # Every sum that a courier took is a payment of the order, and the shifts come to the same.
    paid = select(func.sum(order_payments.c.amount).label("n")).where(
        order_payments.c.account_id == 1, order_payments.c.state == "succeeded", order_payments.c.by != "Kasa"
    )
    (row,) = await one.db.all(Query(paid))
    assert int(row["n"] or 0) == sum(one["collected"] for one in rows)


async def _walk(depot: Depot, one: House, chance: random.Random, steps: int) -> Counter[str]:
    couriers = [(await depot.hire("Mert Aydın", MERT)).id, (await depot.hire("Seda", SEDA)).id]
    numbers = [await depot.order(ready=at > 0) for at in range(3)]
    done: Counter[str] = Counter()
    for _ in range(steps):
        order_id = chance.choice(numbers)
        found = (await depot.services.deliveries.page(depot.owner, order_id=order_id)).data
        delivery_id = found[0].delivery_id if found else "none"
        step_id = found[0].step_id if found else "none"
        what = chance.choice(
            ["assign"] * 4
            + ["pick_up"] * 4
            + ["deliver"] * 2
            + ["bring_back"] * 2
            + ["undo"] * 4
            + ["drop", "order", "order", "order", "wait"]
        )
        try:
            if what == "assign":
                await depot.assign(order_id, chance.choice(couriers))
            elif what == "undo":
                await depot.undo(delivery_id, step_id)
            elif what == "wait":
                one.clock.advance(chance.choice([1, 20_000]))
            elif what == "order":
                what = chance.choice(["finish", "recall", "dispatch", "deliver", "bring_back", "cancel", "complete"])
                what = chance.choice([what, "finish", "dispatch"])
                await one.act(order_id, what)
                what = f"order {what}"
            else:
                ways: list[Paid | None] = [None, "cash", "card_on_delivery"]
                paid = chance.choice(ways) if what == "deliver" else None
                await depot.act(delivery_id, what, paid=paid)
            done[what] += 1
        except (Conflict, NotFound, Invalid):
            done[f"refused {what}"] += 1
        await _check(depot, one)
        order = await one.orders.get(depot.owner, order_id)
        if order.status in ("cancelled", "completed", "delivered") and chance.random() < 0.3:
            numbers[numbers.index(order_id)] = await depot.order(ready=chance.random() < 0.9)
    return done


@pytest.mark.later
async def test_orders_and_deliveries_never_part(database_url: str) -> None:
    async with house(database_url) as one:
        done = await _walk(Depot(one), one, random.Random(20261116), 130)
        # The walk has been everywhere.
        for what in ("assign", "pick_up", "deliver", "bring_back", "drop", "undo", "order dispatch"):
            assert done[what], done


async def test_a_step_twice_at_once_or_after_undo_acts_once(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert, seda = await depot.hire("Mert Aydın", MERT), await depot.hire("Seda", SEDA)
        number = await depot.order()
        # Two people give it to two couriers at once: one of them has it, and the other hears that.
        await asyncio.gather(*(depot.assign(number, who.id) for who in (mert, seda)))
        (given,) = [row for row in (await depot.services.deliveries.page(depot.owner)).data if row.state == "assigned"]
        answers = await asyncio.gather(*(depot.act(given.delivery_id, "pick_up") for _ in range(4)))
        assert {answer.state for answer in answers} == {"picked_up"}
        assert [step.action for step in answers[-1].steps] == ["assign", "pick_up"]
        assert await depot.states(number) == ("out_for_delivery", "picked_up")
        first = answers[0]
        back = await depot.undo(given.delivery_id, first.step_id)
        assert (back.state, back.order_status) == ("assigned", "ready")
        again = await depot.undo(given.delivery_id, first.step_id)
        assert again.state == "assigned"
        # Told once that it is on its way, however often that was taken back.
        await depot.act(given.delivery_id, "pick_up", key="k")
        await depot.act(given.delivery_id, "pick_up", key="k")
        said = await one.said("905559998877")
        assert sum("on its way" in text or "yola" in text for text in said) == 1, said
        done = await depot.act(given.delivery_id, "deliver", paid="cash")
        with pytest.raises(Conflict) as late:
            await depot.act(given.delivery_id, "bring_back")
        assert late.value.code == "state_conflict"
        back = await depot.undo(given.delivery_id, done.step_id)
        assert (back.state, back.order_status, back.collect_amount) == ("picked_up", "out_for_delivery", 0)
        done = await depot.act(given.delivery_id, "deliver", paid="card_on_delivery")
        assert (done.collected_amount, done.collected_by) == (first.collect_amount, "cash")
        one.clock.advance(20_000)
        with pytest.raises(Conflict) as late:
            await depot.undo(given.delivery_id, done.step_id)
        assert late.value.code == "undo_too_late"
        told = await one.told("restaurant.delivery_updated")
        assert [body["state"] for body in told][-3:] == ["delivered", "picked_up", "delivered"]


async def test_cash_is_handed_in_once_and_a_shift_ends_with_empty_hands(database_url: str) -> None:
    async with house(database_url) as one:
        depot = Depot(one)
        mert = await depot.hire("Mert Aydın", MERT)
        desk = depot.services.couriers
        numbers = [await depot.order() for _ in range(3)]
        given = [await depot.assign(number, mert.id) for number in numbers]
        total = given[0].collect_amount
        with pytest.raises(Conflict) as busy:
            await desk.end_shift(depot.owner, mert.id)
        assert busy.value.code == "shift_busy"
        ways: list[Paid] = ["cash", "cash", "card_on_delivery"]
        for delivery, paid in zip(given, ways, strict=True):
            await depot.act(delivery.delivery_id, "deliver", paid=paid)
        shift = (await desk.get(depot.owner, mert.id)).shift
        assert shift is not None
        assert (shift.cash_amount, shift.card_amount, shift.orders_paid) == (total * 2, total, 3)

        async def count(amount: Any) -> Any:
            return (await desk.count_cash(depot.owner, shift.id, {"counted_amount": amount}, Call("count"))).value

        await _refused("shift_open", count(1))
        await desk.end_shift(depot.owner, mert.id)
        assert [row.id for row in await desk.uncounted(depot.owner)] == [shift.id]
        for wrong in (-1, "x", None, 10**15, 1.2345):
            await _refused("amount_invalid", count(wrong))
        counted = await count(total * 2 - 5)
        assert (counted.counted_amount, counted.difference_amount) == (total * 2 - 5, -5)
        await _refused("shift_counted", count(0))
        assert await desk.uncounted(depot.owner) == []
        # What comes later is another shift's.
        later = await depot.assign(await depot.order(), mert.id)
        await depot.act(later.delivery_id, "deliver", paid="cash")
        fresh = (await desk.get(depot.owner, mert.id)).shift
        assert fresh is not None
        assert (fresh.id != shift.id, fresh.cash_amount) == (True, total)
        await desk.end_shift(depot.owner, mert.id)
        await desk.remove(depot.owner, mert.id)
        assert (await depot.states(numbers[0]))[1] == "delivered"
        with pytest.raises(Invalid):
            await depot.assign(await depot.order(), mert.id)


async def _refused(code: str, call: Any) -> None:
    with pytest.raises(Problem) as problem:
        await call
    assert code in (problem.value.code, *(one.code for one in problem.value.errors))
