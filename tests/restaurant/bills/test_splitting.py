"""Who pays for a dish pays for that dish: with what was let off of it, and nothing of what was let off of others."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.errors import Conflict, Invalid
from tablegram.restaurant.bills.keeping import _let_off
from tablegram.restaurant.bills.model import Bill, BillEntry, LineShare, Tab, TabPayment
from tablegram.restaurant.bills.seating import is_done
from tablegram.restaurant.bills.splitting import Split, divide
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra, total

TAB = Tab(account_id=1, id="tab", venue_id="v", table_id="t", state="open", opened_at=1, last_at=1)


def _bill(dishes: list[tuple[int, int]], discounts: tuple[Extra, ...] = (), charge: int = 0) -> Bill:
    lines = tuple(PricedLine("x", "x", "x", "bar", quantity, price) for quantity, price in dishes)
    charges = (Extra("service", "Service", charge),) if charge else ()
    order: Any = Order(
        account_id=1, id="o", venue_id="v", order_id="ORD-20261115-0001", order_type="dine_in", state="served",
        payment_method="pos_at_table", payment_state="unpaid", lines=lines, charges=charges, discounts=discounts,
        total=total(lines, charges, discounts), currency="TRY", created_at=1, updated_at=1,
    )  # fmt: skip
    return Bill(TAB, (BillEntry(order),))


def _after(bill: Bill, *shares: tuple[int, int]) -> tuple[int, Bill]:
    """What these dishes come to, and the bill without them."""
    chosen = tuple(LineShare("o", line, count) for line, count in shares)
    ((_, amount),) = divide(bill, Split(lines=chosen))
    (entry,) = bill.entries
    paid = TabPayment(
        account_id=1, id=f"p{len(bill.payments)}", venue_id="v", tab_id="tab", kind="payment", method="cash",
        amount=amount, currency="TRY", lines=chosen, by="Elif", created_at=1,
    )  # fmt: skip
    return amount, Bill(TAB, (BillEntry(entry.order, entry.came + amount),), (*bill.payments, paid))


def test_a_discount_on_a_dish_is_of_who_pays_for_that_dish() -> None:
    half_off = (Extra("discount", "cold", 6_000, "d1", 1),)
    # 110 and 120, of which 60 are let off.
    amount, rest = _after(_bill([(1, 11_000), (1, 12_000)], half_off), (0, 1))
    assert (amount, rest.open) == (11_000, 6_000)
    assert _after(_bill([(1, 11_000), (1, 12_000)], half_off), (1, 1))[0] == 6_000
    # A service charge of ten percent of what is left, and something let off of everything, belong to both.
    assert _after(_bill([(1, 11_000), (1, 12_000)], half_off, charge=1_700), (0, 1))[0] == 12_100
    of_all = (*half_off, Extra("discount", "late", 1_700))
    assert _after(_bill([(1, 11_000), (1, 12_000)], of_all), (0, 1))[0] == 9_900
    # One of three of a dish carries a third of what was let off of the three.
    amount, rest = _after(_bill([(3, 1_000), (1, 500)], (Extra("discount", "x", 100, "d", 0),)), (0, 1))
    assert (amount, _after(rest, (0, 2))[0]) == (967, 1_933)
    # A dish that costs nothing any more is nobody's to pay: who pays the other pays the rest.
    free = _bill([(1, 333), (2, 250)], (Extra("discount", "gift", 333, "d", 0),), charge=1)
    _, rest = _after(free, (1, 1))
    assert (_after(rest, (1, 1))[1].open, rest.open > 0) == (0, True)
    # Everything let off but the service: then by the prices. A dish that is gone: then it is of all.
    assert (
        _after(_bill([(1, 300), (1, 100)], (Extra("a", "a", 300, "", 0), Extra("b", "b", 100, "", 1)), 40), (0, 1))[0]
        == 30
    )
    assert _after(_bill([(1, 300), (1, 100)], (Extra("a", "a", 200, "", 7),)), (0, 1))[0] == 150


@settings(max_examples=40, deadline=None)
@given(data=st.data(), dishes=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 5_000)), min_size=1, max_size=4))
def test_dish_by_dish_the_whole_bill_is_paid_and_never_more(data: Any, dishes: list[tuple[int, int]]) -> None:
    lets = [data.draw(st.integers(0, quantity * price)) for quantity, price in dishes]
    discounts = tuple(Extra("discount", "x", off, str(line), line) for line, off in enumerate(lets) if off)
    bill = _bill(dishes, discounts, data.draw(st.sampled_from([0, 1, 77])))
    refused = False
    pieces = [line for line, (quantity, _) in enumerate(dishes) for _ in range(quantity)]
    for line in data.draw(st.permutations(pieces)):
        before = bill.open
        try:
            amount, bill = _after(bill, (line, 1))
        except Conflict:
            # Nothing is left, or the piece is worth less than the smallest coin.
            refused |= dishes[line][1] * dishes[line][0] > lets[line]
            continue
        assert 0 < amount <= before
        assert bill.open == before - amount
    assert (
        bill.open == 0
        or refused
        or not any(price * count - off for (count, price), off in zip(dishes, lets, strict=True))
    )


def test_what_is_not_on_the_bill_or_paid_already_is_refused() -> None:
    _, rest = _after(_bill([(2, 1_000), (1, 500)]), (0, 1))
    for shares, problem in (
        ([LineShare("o", 0, 2)], Conflict), ([LineShare("o", 0, 1), LineShare("o", 0, 1)], Conflict),
        ([LineShare("o", 1, 0)], Conflict), ([LineShare("o", 2, 1)], Invalid), ([LineShare("p", 0, 1)], Invalid),
    ):  # fmt: skip
        with pytest.raises(problem):
            divide(rest, Split(lines=tuple(shares)))
    assert divide(rest, Split(lines=(LineShare("o", 0, 1), LineShare("o", 1, 1)))) == [("o", 1_500)]


def _two(first: int, second: int) -> Bill:
    """A bill of two orders."""
    one, other = (_bill([(1, price)]).entries[0] for price in (first, second))
    return Bill(TAB, (one, BillEntry(msgspec.structs.replace(other.order, id="p"))))


def _parts(*given: Any) -> list[tuple[str, int]]:
    return [(entry.order.id, part) for entry, part in _let_off(*given)]


def test_what_is_let_off_is_of_the_oldest_order_first_and_of_none_that_gets_nothing() -> None:
    bill = _two(1_000, 3_000)
    assert _parts(bill, 1_000, None, None, None) == [("o", 1_000)]
    assert _parts(bill, 1_001, None, None, None) == [("o", 1_000), ("p", 1)]
    assert _parts(bill, None, 1_000, None, None) == [("o", 100), ("p", 300)]
    assert _parts(bill, 9_000, None, "p", 0) == [("p", 3_000)]
    for key, line in (("p", 1), ("p", -1), ("q", 0)):
        with pytest.raises(Invalid):
            _let_off(bill, 1, None, key, line)


def test_a_bill_is_done_when_all_is_brought_and_paid() -> None:
    bill = _bill([(1, 1_000)])
    (entry,) = bill.entries

    def paid(came: int = 1_000, **changes: Any) -> Bill:
        return Bill(TAB, (BillEntry(msgspec.structs.replace(entry.order, **changes), came),))

    assert [is_done(one) for one in (bill, paid(999), paid(), paid(state="ready"))] == [False, False, True, False]
    assert is_done(paid(state="completed", closed_at=5))
