"""VAT by rate: whole minor units, and every sum comes out, whatever was ordered, charged and let off."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.engine.idempotency import Call
from tablegram.errors import Invalid
from tablegram.flows.restaurant.fields import TakeFields
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.restaurant.bills.vat import gross_by_rate, spread, tax_in, taxed
from tablegram.restaurant.lines import PricedLine
from tablegram.restaurant.orders.totals import Extra
from tests.restaurant.flows.house import house

RATES = st.sampled_from([None, 0, 100, 850, 1_000, 2_000, 10_000])
LINES = st.lists(
    st.builds(
        PricedLine, st.just("x"), st.just("x"), st.just("x"), st.just("bar"), st.integers(1, 99),
        st.integers(0, 10**8), vat=RATES,
    ),
    max_size=12,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(orders=st.lists(st.tuples(LINES, st.integers(0, 10**10)), max_size=4))
def test_every_order_is_its_rates_and_every_rate_is_net_and_tax(orders: list[tuple[list[PricedLine], int]]) -> None:
    sums = [gross_by_rate(lines, total) for lines, total in orders]
    for (_, total), one in zip(orders, sums, strict=True):
        assert sum(one.values()) == total
        assert min(one.values()) >= 0
    found = taxed(sums)
    without = sum(one.get(None, 0) for one in sums)
    assert sum(one.gross for one in found) + without == sum(total for _, total in orders)
    for row in found:
        assert row.net + row.tax == row.gross
        assert 0 <= row.tax <= row.gross
        # As near as a whole unit can be: the net amount with its tax is what was paid.
        assert abs(row.net * (10_000 + row.rate) - row.gross * 10_000) * 2 <= 10_000 + row.rate
    assert [row.rate for row in found] == sorted({row.rate for row in found})


def test_a_discount_on_one_dish_lowers_the_tax_of_that_dish_alone() -> None:
    food, drink = (
        PricedLine("x", "x", "x", "bar", 1, price, vat=vat) for price, vat in ((11_000, 1_000), (12_000, 2_000))
    )
    lines = (food, drink)
    on_drink = (Extra("discount", "flat", 6_000, "d1", 1),)
    assert gross_by_rate(lines, 17_000, on_drink) == {1_000: 11_000, 2_000: 6_000}
    # With a service charge, which belongs to what is left of each.
    assert gross_by_rate(lines, 18_700, on_drink) == {1_000: 12_100, 2_000: 6_600}
    # All of it let off; more than the dish is worth; and a dish that is no longer there: then it is of all of them.
    assert gross_by_rate(lines, 11_000, (Extra("discount", "gift", 12_000, "d1", 1),)) == {1_000: 11_000, 2_000: 0}
    assert gross_by_rate(lines, 0, (Extra("a", "a", 11_000, "", 0), Extra("b", "b", 12_000, "", 1))) == {
        1_000: 0,
        2_000: 0,
    }
    for gone in (2, 7):
        assert gross_by_rate(lines, 11_500, (Extra("discount", "x", 11_500, "", gone),)) == {1_000: 5_500, 2_000: 6_000}
    assert gross_by_rate((), 500, on_drink) == {None: 500}


def test_figures_of_a_known_bill() -> None:
    assert [tax_in(gross, rate) for gross, rate in ((11_000, 1_000), (12_000, 2_000), (1, 1_000), (0, 2_000))] == [
        1_000, 2_000, 0, 0,
    ]  # fmt: skip
    lines = [PricedLine("x", "x", "x", "bar", 1, price, vat=vat) for price, vat in ((1, 1_000), (1, 2_000), (2, 2_000))]
    assert gross_by_rate(lines, 400) == {1_000: 100, 2_000: 300}
    assert spread(100, [1, 1, 1]) == [34, 33, 33]
    assert spread(7, [0, 0]) == [7, 0]


async def test_a_bill_tells_the_tax_of_its_dishes_as_they_were_when_they_were_ordered(database_url: str) -> None:
    async with house(database_url) as one:
        services, owner = one.product.of(RestaurantServices), one.caller("owner")
        venue, dish = one.venue.id, one.item("Künefe").id
        assert (await services.venue_desk.update(owner, venue, {"vat_percent": 10})).vat_percent == 10
        assert (await services.menu_desk.put_item(owner, venue, {"vat_percent": 20}, dish)).vat_percent == 20
        for wrong in (101, -1):
            with pytest.raises(Invalid):
                await services.menu_desk.put_item(owner, venue, {"vat_percent": wrong}, dish)
        lines = [one.line("Lahmacun", 3), one.line("Künefe")]
        fields: TakeFields = {"venue_id": venue, "table_id": (await one.table("5")).id, "lines": lines}
        tab = (await one.orders.take(owner, fields, Call("order"))).value.tab_id
        assert tab is not None
        await services.bills.discount(owner, tab, {"percent": 33.33, "reason": "late"}, Call("off"))
        bill = await services.bills.get(owner, tab)
        assert [row.percent for row in bill.vat] == [10, 20]
        assert round(sum(row.gross for row in bill.vat), 2) == bill.total
        assert all(round(row.net + row.tax, 2) == row.gross and row.tax > 0 for row in bill.vat)
        # What is ordered later has the rate of then; what was ordered keeps its own.
        await services.menu_desk.put_item(owner, venue, {"vat_percent": None}, dish)
        await services.venue_desk.update(owner, venue, {"vat_percent": None})
        assert (await services.bills.get(owner, tab)).vat == bill.vat
        await one.orders.take(owner, fields, Call("order"))
        assert (await services.bills.get(owner, tab)).vat == bill.vat
