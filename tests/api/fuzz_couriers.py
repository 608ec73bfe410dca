"""What a fuzzer cannot know of couriers: who there is, what they bring, and which number is free."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

FRESH_PHONES = (f"90555{number:07d}" for number in count(5_000_000))


def furnish(made: Callable[[str, Any], Any], facts: dict[str, Any]) -> dict[str, Any]:
    """Couriers of the floor, and orders that one of them has, so that the lists have a second page."""
    own: dict[str, Any] = {}
    for prefix in ("", "spare_"):
        fields = {"name": f"{prefix}courier", "venue_id": facts["floor"]}
        own[f"{prefix}courier_id"] = made("/restaurant/couriers", fields)["id"]
    guest = {"address": "Moda Cad. 1", "customer_phone": "905551112233", "customer_name": "Ayşe"}
    for _ in range(2):
        order = {
            "venue_id": facts["floor"],
            "order_type": "delivery",
            "lines": [{"item_id": facts["floor_item"]}],
            **guest,
        }
        own["brought_order_id"] = made("/orders", order)["order_id"]
        made(f"/orders/{own['brought_order_id']}/finish", {})
        given = {"order_id": own["brought_order_id"], "courier_id": own["courier_id"]}
        own["order_delivery_id"] = made("/restaurant/deliveries", given)["delivery_id"]
    place = f"/restaurant/deliveries/{own['order_delivery_id']}"
    own["step_id"] = made(f"{place}/pick_up", {})["step_id"]
    made(f"{place}/steps/{own['step_id']}/undo", None)
    own["shift_id"] = "none"
    return own


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """Who goes is the spare one."""
    if operation == "deleteCourier" and path.get("courier_id") == facts["courier_id"]:
        path["courier_id"] = facts["spare_courier_id"]


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, which a schema cannot say."""
    body = case.body
    if operation in ("createCourier", "updateCourier"):
        if body.get("phone"):
            body["phone"] = next(FRESH_PHONES)
        if operation == "createCourier":
            body["venue_id"] = facts["floor"]
        # Whoever is of the team is one courier only.
        if body.get("member_id") is not None:
            body["member_id"] = None
        # Who has something to bring stays at work.
        if operation == "updateCourier" and body.get("active") is False:
            body["active"] = True
    if operation == "setCourierShift":
        body["working"] = True
    if operation == "setCourierTour" and body.get("delivery_ids") is not None:
        case.path_parameters["courier_id"] = facts["courier_id"]
        body["delivery_ids"] = []
    if operation == "countCourierCash":
        # Money has no more decimals than its currency.
        body["counted_amount"] = float(int(body["counted_amount"]))
    if operation == "assignDelivery":
        body.update(order_id=facts["brought_order_id"], courier_id=facts["courier_id"])
    if operation == "actOnDelivery":
        case.path_parameters["order_delivery_id"] = facts["order_delivery_id"]
