"""Payments are rows; what an order's payment state says is what they come to."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select

from tablegram.errors import Conflict
from tablegram.restaurant.orders import gifts, payments
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.keeping import OrderChange
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.payments import LinkMoney, Payment, sum_up
from tablegram.storage.database import Database, Query, Tx
from tablegram.storage.tables import order_payments
from tests.restaurant.kept import NOON, store
from tests.restaurant.orders.placing import placing


async def _placed(db: Database, **changes: Any) -> Order:
    return (await db.write(lambda tx: orders.place(tx, placing(**changes), NOON))).order


async def _do(db: Database, order: Order, event: Any, by: Any = "staff", at: int = NOON, **more: Any) -> Order:
    return (await db.write(lambda tx: orders.happen(tx, 1, order.order_id, event, by, "Elif", at, **more))).order


async def _rows(db: Database, order: Order) -> list[tuple[str, str, str, int]]:
    found = await db.snapshot(lambda tx: payments.of_order(tx, order))
    return sorted((one.kind, one.state, one.method, one.amount) for one in found)


async def test_marking_as_paid_is_a_payment_by_somebody(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db)
        for _ in range(3):
            assert (await _do(db, order, "pay", at=NOON + 5)).payment_state == "paid"
        (paid,) = await db.snapshot(lambda tx: payments.of_order(tx, order))
        assert (paid.kind, paid.state, paid.method, paid.by) == ("payment", "succeeded", "pos_at_table", "Elif")
        assert (paid.amount, paid.currency, paid.created_at, paid.settled_at) == (
            order.total,
            "TRY",
            NOON + 5,
            NOON + 5,
        )


async def test_a_refund_is_a_row_of_its_own(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db)
        await _do(db, order, "pay")
        assert (await _do(db, order, "refund")).payment_state == "refunded"
        total = order.total
        assert await _rows(db, order) == [
            ("payment", "succeeded", "pos_at_table", total), ("refund", "succeeded", "pos_at_table", total),
        ]  # fmt: skip


async def test_a_link_is_asked_for_replaced_failed_and_paid(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, payment_method="online_card")
        states = [(await _do(db, order, event, by)).payment_state for event, by in (
            ("send_link", "staff"), ("send_link", "staff"), ("fail_payment", "provider"), ("send_link", "staff"),
            ("pay", "provider"), ("fail_payment", "provider"),
        )]  # fmt: skip
        assert states == ["link_sent", "link_sent", "failed", "link_sent", "paid", "paid"]
        assert [row[1] for row in await _rows(db, order)] == ["dropped", "failed", "succeeded"]


async def test_who_pays_in_person_after_a_failed_link_owes_as_before(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, payment_method="online_card")
        await _do(db, order, "send_link")
        await _do(db, order, "fail_payment", "provider")
        assert (await _do(db, order, "pay_in_person", payment_method="cash")).payment_state == "unpaid"
        assert (await _do(db, order, "pay")).payment_state == "paid"
        assert [row[1:3] for row in await _rows(db, order)] == [("dropped", "online_card"), ("succeeded", "cash")]


async def test_money_by_link_is_told_by_its_name_and_goes_back_in_parts(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, payment_method="online_card")
        total = order.total
        first, second = LinkMoney("pay_1", total), LinkMoney("pay_2", total)
        await _do(db, order, "send_link", "clock", link=first)
        assert (await _do(db, order, "pay_in_person", payment_method="cash")).payment_state == "unpaid"
        await _do(db, order, "send_link", "clock", link=second)
        # The guest pays the first link after all, and in the books it is no cash.
        paid = await _do(db, order, "pay", "provider", link=first)
        assert paid.payment_state == "paid"
        assert await _rows(db, order) == [
            ("payment", "dropped", "online_card", total), ("payment", "succeeded", "online_card", total),
        ]  # fmt: skip
        assert (await _do(db, order, "refund_part", "provider", link=LinkMoney("rfd_1", 100))).payment_state == "paid"
        rest = LinkMoney("rfd_2", total - 100)
        assert (await _do(db, order, "refund", "provider", link=rest)).payment_state == "refunded"


async def test_a_gift_card_pays_a_part_and_the_kitchen_begins_with_the_rest(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db, payment_method="online_card", order_type="takeaway")
        assert gifts.takes_gifts(order)
        await _do(db, order, "send_link", "clock", link=LinkMoney("pay_1", order.total))

        async def pay(amount: int) -> Order:
            async def work(tx: Tx) -> OrderChange:
                locked = await orders.lock(tx, 1, order.order_id, None)
                return (await gifts.pay(tx, locked, amount, "guest", "Ayşe", NOON + 5, NOON + 900))[1]

            return (await db.write(work)).order

        part = await pay(100)
        assert (part.payment_state, part.promised_at, gifts.takes_gifts(part)) == ("partly_paid", None, True)
        # The link asked for all of it, and is given up.
        assert [row[1:3] for row in await _rows(db, order)] == [("dropped", "online_card"), ("succeeded", "gift_card")]
        whole = await pay(order.total - 100)
        assert (whole.state, whole.payment_state, whole.promised_at) == ("sent_to_kitchen", "paid", NOON + 900)
        assert not gifts.takes_gifts(whole)
        assert not gifts.takes_gifts(msgspec.structs.replace(part, tab_id="tab"))
        assert not gifts.takes_gifts(msgspec.structs.replace(part, table_id="t1"))
        assert not gifts.takes_gifts(msgspec.structs.replace(part, state="cancelled"))


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_happens_the_state_is_what_the_rows_come_to(database_url: str, seed: int) -> None:
    chance = random.Random(seed)
    async with store(database_url) as db:
        order = await _placed(db, payment_method=chance.choice(("online_card", "cash")))
        for step in range(25):
            event = chance.choice(("send_link", "pay", "fail_payment", "refund", "pay_in_person", "start", "cancel"))
            by = "provider" if event == "fail_payment" else "staff"
            more = {"payment_method": "cash"} if event == "pay_in_person" else {}
            try:
                order = await _do(db, order, event, by, NOON + step, **more)
            except Conflict:
                pass
            rows = await db.snapshot(partial(payments.of_order, order=order))
            assert sum_up(rows, order.total) == order.payment_state
            came = sum(one.amount for one in rows if (one.kind, one.state) == ("payment", "succeeded"))
            went = sum(one.amount for one in rows if (one.kind, one.state) == ("refund", "succeeded"))
            assert 0 <= went <= came <= order.total


def test_parts_are_paid_when_they_come_to_the_total() -> None:
    def part(amount: int, kind: Any = "payment", state: Any = "succeeded") -> Payment:
        return Payment(
            account_id=1, id="p", order_key="o", kind=kind, method="cash", amount=amount, currency="TRY", state=state,
            by="", created_at=0,
        )  # fmt: skip

    assert sum_up([], 100) == "unpaid"
    assert sum_up([part(60)], 100) == "partly_paid"
    assert sum_up([part(60, state="dropped")], 100) == "unpaid"
    assert sum_up([part(60), part(40, state="asked")], 100) == "partly_paid"
    assert sum_up([part(60), part(40)], 100) == "paid"
    assert sum_up([part(60), part(40, state="failed")], 100) == "partly_paid"
    assert sum_up([part(60), part(40), part(30, "refund")], 100) == "paid"
    assert sum_up([part(60), part(40), part(100, "refund")], 100) == "refunded"
    assert sum_up([part(0)], 0) == "paid"


async def test_what_is_told_of_twice_from_outside_is_one_payment(database_url: str) -> None:
    async with store(database_url) as db:
        order = await _placed(db)
        await _do(db, order, "pay")
        (row,) = await db.all(Query(select(order_payments).where(order_payments.c.account_id == 1)))
        again = {**dict(row), "reference": "pi_1"}
        add = Query(insert(order_payments).values({name: again[name] for name in again if name != "id"} | {"id": "x"}))
        await db.write(lambda tx: tx.run(add, {}))
        twice = Query(insert(order_payments).values({**again, "id": "y"}))
        with pytest.raises(Exception, match=r"order_payments_account_id_reference|order_payments\.reference"):
            await db.write(lambda tx: tx.run(twice, {}))
