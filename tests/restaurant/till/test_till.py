"""The drawer: what should be in it, what was found, and who may say so."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid, NotFound, Problem, ScopeMissing
from tablegram.flows.delivery.fields import CashFields
from tablegram.flows.restaurant.fields import PaymentFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.till import keeping as till
from tests.delivery.couriers.depot import MERT, Depot
from tests.restaurant.flows.house import House, house
from tests.restaurant.flows.sent import sent


def _desk(one: House) -> Any:
    return one.product.of(RestaurantServices).till


async def _take(one: House, tab: str, **fields: Any) -> str:
    given: PaymentFields = {"method": "cash", **fields}  # type: ignore[typeddict-item]
    answer = await one.product.bills.take(one.staff, tab, given, Call("take"))
    return answer.value.payment.id


async def _count(one: House, **fields: Any) -> Any:
    return (await _desk(one).count(one.staff, one.venue.id, fields, Call("count"))).value


async def test_a_shift_is_counted_and_what_comes_later_is_of_the_next(database_url: str) -> None:
    async with house(database_url) as one:
        desk = _desk(one)
        await sent(one)
        row = await one.order()
        tab, total = row["tab_id"], row["total"] / 100
        fields = {"kind": "put_in", "amount": 500, "reason": "Float"}
        float_ = Call("move", idempotency_key="float", fingerprint="same")
        for _ in range(2):
            assert (await desk.move(one.staff, one.venue.id, fields, float_)).value.expected == 500
        await desk.move(one.staff, one.venue.id, {"kind": "paid_out", "amount": 40.5, "reason": "Bread"}, Call("m"))
        paid = await _take(one, tab, amount=30, tip=5)
        await _take(one, tab, method="card", amount=10)
        shown = await desk.get(one.staff, one.venue.id)
        assert (shown.put_in, shown.paid_out, shown.taken, shown.tips) == (500, 40.5, 30, 5)
        assert (shown.expected, len(shown.movements), shown.since) == (494.5, 4, None)
        # Cash that came while somebody counted makes them look again; less than should be there wants a reason.
        for wrong, code in (
            ({"counted_amount": 494.5, "expected_amount": 494}, "till_changed"),
            ({"counted_amount": 490}, "difference_unexplained"),
            ({}, "amount_missing"),
            ({"counted_amount": 490, "notes": [{"value": 200, "count": 2}]}, "notes_differ"),
            ({"counted_amount": -1, "reason": "x"}, "out_of_range"),
            ({"counted_amount": 494.5, "kept_amount": 494.51}, "out_of_range"),
            ({"counted_amount": 494.505}, "amount_unreadable"),
            ({"notes": [{"value": 5, "count": 1}, {"value": 5, "count": 2}]}, "value_repeated"),
            ({"notes": [{"value": 0, "count": 1}]}, "out_of_range"),
            ({"counted_amount": 1, "reason": "x" * 201}, "too_long"),
        ):
            with pytest.raises(Problem) as problem:
                await _count(one, **wrong)
            codes = [problem.value.code, *(error.code for error in problem.value.errors)]
            assert code in codes, wrong
        notes = [
            {"value": 200, "count": 2},
            {"value": 50, "count": 1},
            {"value": 0.5, "count": 80},
            {"value": 1, "count": 0},
        ]
        first = await _count(one, notes=notes, kept_amount=300, reason="A wrong change", expected_amount=494.5)
        assert (first.number, first.counted, first.difference, first.kept, first.by) == (1, 490, -4.5, 300, "Elif")
        assert [(note.value, note.count) for note in first.notes] == [(200, 2), (50, 1), (0.5, 80)]
        # What was counted is given back later: the count stays, the next drawer has less.
        await one.product.bills.give_back(one.caller("owner"), tab, paid, "wrong table", Call("back"))
        rest = total - 10
        await one.act(row["order_id"], "pay_in_person", payment_method="cash")
        await one.act(row["order_id"], "pay")
        shown = await desk.get(one.staff, one.venue.id)
        assert (shown.opening, shown.given_back, shown.taken) == (300, 35, rest)
        second = await _count(one, counted_amount=shown.expected)
        assert (second.difference, second.kept, second.since) == (0, 265 + rest, first.at)
        listed = (await desk.counts(one.staff, one.venue.id, limit=1)).next_cursor
        older = (await desk.counts(one.staff, one.venue.id, limit=1, cursor=listed)).data
        assert [one.id for one in older] == [first.id]
        assert older == [first]
        closed = await desk.get_count(one.staff, one.venue.id, first.id)
        assert sorted(one.kind for one in closed.movements) == ["paid_out", "put_in", "taken", "tips"]
        with pytest.raises(ScopeMissing):
            await desk.get(one.caller("kitchen"), one.venue.id)
        with pytest.raises(Invalid):
            await desk.move(one.staff, one.venue.id, {"kind": "paid_out", "amount": 0, "reason": "x"}, Call("m"))
        coin = {"kind": "put_in", "amount": 0.01, "reason": "x" * 200}
        assert (await desk.move(one.staff, one.venue.id, coin, Call("m"))).value.put_in == 0.01
        # Counts are of their venue.
        assert await one.db.snapshot(lambda tx: till.page(tx, 1, "another", None, 9)) == []
        with pytest.raises(NotFound):
            await one.db.snapshot(lambda tx: till.find(tx, 1, "another", first.id))


async def test_cash_of_a_bill_goes_back_as_cash_and_once_whatever_its_order_was_to_be_paid_with(
    database_url: str,
) -> None:
    async with house(database_url) as one:
        await sent(one)
        row = await one.order()
        tab, number = row["tab_id"], row["order_id"]
        assert row["payment_method"] == "pos_at_table"
        paid = [await _take(one, tab, amount=30, tip=5), await _take(one, tab, method="card")]
        await one.act(number, "refund")
        shown = await _desk(one).get(one.staff, one.venue.id)
        assert (shown.taken, shown.tips, shown.given_back, shown.expected) == (30, 5, 30, 5)
        sales, owner = one.product.of(RestaurantServices).sales, one.caller("owner")
        found = await sales.takings(owner, one.venue.id, await sales.today(owner, one.venue.id))
        assert (found.paid, found.tips, set(found.by_method.values())) == (0, 500, {0})
        # What went back from the order's own page does not go back again from the bill. The tip is still there, and goes back once.
        with_tip, without = paid
        bill = await one.product.bills.get(owner, tab)
        assert [(each.amount + each.tip, each.went_back) for each in bill.payments] == [(35, 30), (430, 430)]
        own = [(each.order_id, each.kind, each.method, each.amount) for each in bill.own_payments]
        assert own == [(number, "refund", "cash", 30), (number, "refund", "pos_at_table", 430)]
        assert bill.went_back == 460
        given = (await one.product.bills.give_back(owner, tab, with_tip, "wrong", Call("back"))).value.payment
        assert (given.kind, given.amount, given.tip) == ("refund", 0, 5)
        for payment_id in (without, with_tip):
            with pytest.raises(Problem) as problem:
                await one.product.bills.give_back(owner, tab, payment_id, "wrong", Call("back"))
            assert problem.value.code == "payment_given_back"
        shown = await _desk(one).get(one.staff, one.venue.id)
        assert (shown.taken, shown.tips, shown.given_back, shown.expected) == (30, 5, 35, 0)
        found = await sales.takings(owner, one.venue.id, await sales.today(owner, one.venue.id))
        assert (found.paid, found.tips) == (0, 0)


async def test_cash_that_comes_while_several_count_is_of_one_count_or_still_open(database_url: str) -> None:
    async with house(database_url) as one:
        await sent(one)
        tab = (await one.order())["tab_id"]
        desk = _desk(one)

        async def count(_: int) -> None:
            await _count(one, counted_amount=0, reason="night")

        await asyncio.gather(*(_take(one, tab, amount=1) if n % 3 else count(n) for n in range(18)))
        counts = (await desk.counts(one.staff, one.venue.id)).data
        assert [one.number for one in counts] == [6, 5, 4, 3, 2, 1]
        left = await desk.get(one.staff, one.venue.id)
        assert sum(one.taken for one in counts) + left.taken == 12
        closed = [(await desk.get_count(one.staff, one.venue.id, each.id)).movements for each in counts]
        seen = [each.id for group in (*closed, left.movements) for each in group]
        assert len(seen) == len(set(seen)) == 12


async def test_a_couriers_cash_is_in_the_drawer_when_it_is_handed_in(database_url: str) -> None:
    async with house(database_url) as one:
        depot, desk = Depot(one), _desk(one)
        mert = await depot.hire("Mert Aydın", MERT)
        given = await depot.assign(await depot.order(), mert.id)
        await depot.act(given.delivery_id, "deliver", paid="cash")
        assert (await desk.get(one.staff, one.venue.id)).expected == 0
        shift = (await depot.services.couriers.get(depot.owner, mert.id)).shift
        assert shift is not None
        await depot.services.couriers.end_shift(depot.owner, mert.id)
        fields: CashFields = {"counted_amount": shift.cash_amount - 5, "note": "fuel"}
        await depot.services.couriers.count_cash(depot.owner, shift.id, fields, Call("count"))
        shown = await desk.get(one.staff, one.venue.id)
        assert (shown.handed_in, shown.taken, shown.expected) == (shift.cash_amount - 5, 0, shift.cash_amount - 5)
