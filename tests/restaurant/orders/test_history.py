"""A change of an order carries what was before, and is written down so that every earlier form can be had again."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from tablegram.errors import Conflict
from tablegram.restaurant import customers
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import history, revising
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order, OrderChanges
from tablegram.restaurant.rows.orders import HistoryRow
from tablegram.storage.database import Database
from tests.restaurant.kept import NOON, priced, store
from tests.restaurant.orders.placing import placing

NOTED = msgspec.structs.replace(priced(DishLine("tea", 3))[0], note="no sugar, says Ayşe")


def _forms(order: Order, rows: Sequence[HistoryRow]) -> list[Order]:
    """The order after each of its last events, the oldest first, as far back as changes were kept; it is the last itself."""
    found = [order]
    for row in reversed(rows):
        step = history.read_step(row)
        if step is None:
            break
        found.append(msgspec.structs.replace(found[-1], **step.before.known()))
    return found[::-1]


async def _placed(db: Database, **changes: Any) -> Order:
    made = placing(contact_id="c", customer_phone="905551112233", customer_name="Ayşe", message_key="m", **changes)
    return (await db.write(lambda tx: orders.place(tx, made, NOON))).order


async def _happen(db: Database, order: Order, event: Any, at: int, **more: Any) -> OrderChange:
    return await db.write(lambda tx: orders.happen(tx, 1, order.order_id, event, "staff", "Elif", NOON + at, **more))


async def _revise(db: Database, order: Order, lines: Any, at: int, **more: Any) -> OrderChange:
    return await db.write(lambda tx: revising.revise(tx, 1, order.order_id, lines, (), (), "Elif", NOON + at, **more))


async def _amend(db: Database, order: Order, changes: OrderChanges, at: int) -> OrderChange:
    return await db.write(lambda tx: revising.amend(tx, 1, order.order_id, changes, "Elif", NOON + at))


async def _walk(db: Database) -> list[OrderChange]:
    order = await _placed(db, table_id="t1", table_label="1", notes="window")
    return [
        await _revise(db, order, (NOTED,), 1, notes="by the wall"),
        await _amend(db, order, {"table_id": "t2", "table_label": "2", "waiter": "Can"}, 2),
        await _happen(db, order, "start", 3),
        await _happen(db, order, "delay", 4, delay_min=5),
        await _happen(db, order, "pay", 5),
        await _happen(db, order, "cancel", 6, reason="Ayşe has left"),
    ]


async def test_a_change_carries_the_order_as_it_was(database_url: str) -> None:
    async with store(database_url) as db:
        changes = await _walk(db)
        for earlier, later in itertools.pairwise(changes):
            assert later.before == earlier.order
        revised, moved, *_, cancelled = changes
        assert [line.quantity for line in revised.before.lines] == [2]
        assert [(line.quantity, line.note) for line in revised.order.lines] == [(3, NOTED.note)]
        assert (moved.before.table_label, moved.order.table_label) == ("1", "2")
        assert (cancelled.before.state, cancelled.order.state) == ("preparing", "cancelled")


async def test_what_changed_nothing_has_nothing_before(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db)
        same = await _amend(db, order, {"notes": order.notes}, 1)
        assert same.changed is False
        assert same.before == same.order == order
        assert len(await db.snapshot(lambda tx: orders.history(tx, order))) == 1


async def test_every_earlier_form_is_had_again_from_the_history(database_url: str) -> None:
    async with store(database_url) as db:
        changes = await _walk(db)
        last = changes[-1].order
        rows = await db.snapshot(lambda tx: orders.history(tx, last))
        assert _forms(last, rows) == [changes[0].before, *(change.order for change in changes)]


async def test_a_step_holds_what_differs_and_nothing_else(database_url: str) -> None:
    async with store(database_url) as db:
        changes = await _walk(db)
        rows = await db.snapshot(lambda tx: orders.history(tx, changes[-1].order))
        assert rows[0]["step"] is None
        step = history.read_step(rows[3])
        assert step is not None
        assert step.before.known() == {"state": "sent_to_kitchen", "updated_at": NOON + 2}
        assert step.after.known() == {"state": "preparing", "updated_at": NOON + 3}


async def test_a_history_from_before_changes_were_kept_goes_back_as_far_as_it_can(database_url: str) -> None:
    async with store(database_url) as db:
        changes = await _walk(db)
        last = changes[-1].order
        known = await db.snapshot(lambda tx: orders.history(tx, last))
        rows: list[HistoryRow] = [*known[:4], {**known[4], "step": None}, *known[5:]]
        assert _forms(last, rows) == [change.order for change in changes[3:]]


async def test_who_is_forgotten_is_forgotten_in_the_changes_too(database_url: str) -> None:
    async with store(database_url) as db:
        last = (await _walk(db))[-1].order
        await db.write(lambda tx: customers.forget(tx, 1, ["c"], ["905551112233"], NOON + 9))
        rows = await db.snapshot(lambda tx: orders.history(tx, last))
        written = " ".join(str(row["step"]) + row["reason"] for row in rows)
        for personal in ("Ayşe", "window", "wall", "sugar"):
            assert personal not in written
        kept = await db.snapshot(lambda tx: orders.find(tx, 1, last.order_id))
        # What was sold, and where, is still told.
        assert [line.quantity for line in _forms(kept, rows)[0].lines] == [2]
        assert _forms(kept, rows)[0].table_label == "1"


@pytest.mark.parametrize("event", ["cancel", "complete"])
async def test_an_order_that_is_over_is_not_amended(database_url: str, event: Any) -> None:
    async with store(database_url) as db:
        order = await _placed(db)
        for step in ("finish", "serve", "pay") if event == "complete" else ():
            await _happen(db, order, step, 1)
        over = (await _happen(db, order, event, 2)).order
        assert over.closed_at is not None
        with pytest.raises(Conflict) as refused:
            await _amend(db, order, {"table_label": "9"}, 3)
        assert refused.value.code == "state_conflict"
        assert await db.snapshot(lambda tx: orders.find(tx, 1, order.order_id)) == over
