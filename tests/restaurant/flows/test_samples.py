"""The samples of events of orders and calls are what is really sent."""

from __future__ import annotations

import pytest

from tablegram.events.catalogue import WHEN
from tablegram.events.samples import SAMPLES
from tablegram.flows.restaurant.guests.calls import call_event
from tablegram.restaurant.calls import GuestCall
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders.event import CREATED, UPDATED, order_event
from tablegram.restaurant.orders.model import Order
from tablegram.values import dicts, whole
from tests.restaurant.bistro import bistro
from tests.restaurant.kept import NOON, priced


@pytest.mark.parametrize("kind", [CREATED, UPDATED])
def test_the_samples_of_orders_have_the_fields_of_real_ones(kind: str) -> None:
    lines = priced(DishLine(bistro().items[0].id))
    order = Order(
        account_id=1, id="o", venue_id="v", order_id="ORD-1", order_type="dine_in", state="sent_to_kitchen",
        payment_method="cash", payment_state="unpaid", lines=lines, total=lines[0].amount, currency="TRY",
        created_at=NOON, updated_at=NOON,
    )  # fmt: skip
    body, sample = order_event(order, kind), SAMPLES[kind]
    assert list(sample) == list(body)
    items = dicts(sample["items"])
    assert list(items[0]) == list(body["items"][0])
    total = sum(whole(item["quantity"]) * whole(item["unit_price"]) for item in items)
    assert sample["total_amount"] == total + sum(whole(charge["amount"]) for charge in dicts(sample["charges"]))


def test_the_sample_of_a_call_has_the_fields_of_a_real_one() -> None:
    call = GuestCall(1, "c", "v", "t", "5", "bill", "Elif", "", NOON)
    assert list(SAMPLES["restaurant.waiter_called"]) == list(call_event(call, "TRY"))
    assert {"restaurant.order_created", "restaurant.order_updated", "restaurant.waiter_called"} <= WHEN.keys()
