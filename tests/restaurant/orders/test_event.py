from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tablegram.restaurant.lines import Choice, DishLine
from tablegram.restaurant.orders.event import CREATED, order_event
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import Extra, cap, service_charge, total
from tests.restaurant.kept import NOON, priced

# The specification's table of `restaurant.order_created`, field by field.
FIELDS: dict[str, type] = {
    "event": str, "order_id": str, "order_type": str, "table_number": str, "waiter_assigned": str, "customer": dict,
    "items": list, "notes": str, "total_amount": float, "payment_method": str, "status": str,
}  # fmt: skip
ITEM_FIELDS: dict[str, type] = {"name": str, "quantity": int, "unit_price": float, "options": list, "station": str}


def _order(**changes: Any) -> Order:
    lines = priced(DishLine("adana", 2, (Choice("mild"), Choice("half")), "hot plate"), DishLine("tea", 3))
    charges = service_charge(lines, 1_000, "Service 10%")
    made: dict[str, Any] = {
        "account_id": 1, "id": "x", "venue_id": "v", "order_id": "ORD-20261115-0042", "order_type": "dine_in",
        "state": "sent_to_kitchen", "payment_method": "pos_at_table", "payment_state": "unpaid", "table_label": "12",
        "waiter": "Mehmet", "customer_phone": "905551112233", "customer_name": "Ayşe", "lines": lines,
        "charges": charges, "discounts": (Extra("coupon", "Welcome", 1_050),),
        "total": total(lines, charges, (Extra("coupon", "Welcome", 1_050),)), "currency": "TRY",
        "notes": "By the window", "created_at": NOON, "updated_at": NOON,
    }  # fmt: skip
    return Order(**{**made, **changes})


def _body(order: Order) -> dict[str, Any]:
    """As it goes over the wire."""
    return dict(msgspec.json.decode(msgspec.json.encode(order_event(order, CREATED))))


def _matches(value: Any, kind: type) -> bool:
    # A JSON number without decimals is a number all the same.
    return isinstance(value, int | float) and not isinstance(value, bool) if kind is float else type(value) is kind


def test_the_body_has_every_field_of_the_specification_with_its_type() -> None:
    body = _body(_order())
    assert list(body)[: len(FIELDS)] == list(FIELDS)
    assert all(_matches(body[name], kind) for name, kind in FIELDS.items())
    assert {name: type(value) for name, value in body["customer"].items()} == {"phone": str, "name": str}
    for item in body["items"]:
        assert list(item)[: len(ITEM_FIELDS)] == list(ITEM_FIELDS)
        assert all(_matches(item[name], kind) for name, kind in ITEM_FIELDS.items())
        assert all(type(option) is str for option in item["options"])


def test_the_body_of_a_known_order() -> None:
    body = _body(_order())
    shown = {name: body[name] for name in FIELDS}
    shown["items"] = [{name: item[name] for name in ITEM_FIELDS} for item in body["items"]]
    assert shown == {
        "event": "restaurant.order_created",
        "order_id": "ORD-20261115-0042",
        "order_type": "dine_in",
        "table_number": "12",
        "waiter_assigned": "Mehmet",
        "customer": {"phone": "+905551112233", "name": "Ayşe"},
        "items": [
            {"name": "Adana Kebab", "quantity": 2, "unit_price": 370.0, "options": ["Not spicy", "1.5 portions"],
             "station": "kitchen"},
            {"name": "Tea", "quantity": 3, "unit_price": 20.0, "options": [], "station": "bar"},
        ],
        "notes": "By the window",
        "total_amount": 869.5,
        "payment_method": "pos_at_table",
        "status": "sent_to_kitchen",
    }  # fmt: skip


def test_the_total_is_the_lines_with_charges_and_without_discounts() -> None:
    body = _body(_order())
    lines = sum(item["quantity"] * item["unit_price"] for item in body["items"])
    charges = sum(one["amount"] for one in body["charges"])
    discounts = sum(one["amount"] for one in body["discounts"])
    assert body["total_amount"] == pytest.approx(lines + charges - discounts)


def test_what_is_empty_is_there_all_the_same() -> None:
    body = _body(_order(table_label="", waiter="", customer_phone="", customer_name="", notes="", contact_id=None))
    assert (body["table_number"], body["waiter_assigned"], body["notes"], body["contact_id"]) == ("", "", "", "")
    assert body["customer"] == {"phone": "", "name": ""}


def test_a_currency_without_decimals_stays_whole() -> None:
    body = _body(_order(currency="JPY", total=1_200))
    assert body["total_amount"] == 1_200


def test_discounts_never_exceed_what_is_to_pay() -> None:
    lines = priced(DishLine("tea"))
    kept = cap([Extra("a", "A", 1_500), Extra("b", "B", 1_500)], 2_000)
    assert [one.amount for one in kept] == [1_500, 500]
    assert total(lines, (), kept) == 0
    with pytest.raises(ValueError, match="no total"):
        total(lines, (), [Extra("a", "A", 2_001)])
    with pytest.raises(ValueError, match="positive"):
        total(lines, [Extra("a", "A", -1)])
