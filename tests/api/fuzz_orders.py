"""What a fuzzer cannot know of orders: which there are, what each state allows, and which lines can be had."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Allowed again and again in one state, so that a run does not use an order up.
_REPEATABLE = "delay"


def furnish(made: Callable[[str, Any], Any], line: int) -> dict[str, Any]:
    """A venue of its own, where nothing is ever sold out; and two orders, so that their list has a second page."""
    fields: dict[str, Any] = {"name": "Floor", "currency": "TRY", "time_zone": "Europe/Istanbul", "instance_id": line}
    fields |= {"order_types": ["dine_in", "delivery"], "pays_online": ["dine_in"]}
    venue = made("/restaurant/venues", fields)["id"]
    place = f"/restaurant/venues/{venue}"
    category = made(f"{place}/menu/categories", {"name": "All"})["id"]
    facts = {
        "floor": venue,
        "floor_table": made(f"{place}/tables", {"label": "1"})["id"],
        "floor_item": made(f"{place}/menu/items", {"category_id": category, "name": "Ayran", "price": 10})["id"],
    }
    made(f"{place}/tables", {"label": "2"})
    order = {"venue_id": venue, "table_id": facts["floor_table"], "lines": [{"item_id": facts["floor_item"]}]}
    made("/orders", order)
    placed = made("/orders", order)
    second = made(f"{place}/tables", {"label": "3"})["id"]
    many = {**order, "table_id": second, "lines": [{"item_id": facts["floor_item"], "quantity": 99}]}
    to_go = {"table_id": None, "order_type": "delivery", "address": "Moda 1", "customer_phone": "905559990001"}
    to_go["customer_name"] = "Ada"
    return {
        **facts,
        "order_id": placed["order_id"],
        "spare_tab": placed["tab_id"],
        "tab": made("/orders", many)["tab_id"],
        "away": made("/orders", {**many, **to_go})["order_id"],
    }


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if operation in ("tapOrderLines", "undoOrderTap"):
        case.path_parameters["order_id"] = facts["order_id"]
    if operation == "tapOrderLines":
        # What is begun may still be changed and delayed.
        case.body = {"action": "start"}
    if "tab_id" in (case.path_parameters or {}):
        _fit_bill(operation, case, facts)
    if operation == "payOrderByGift":
        case.path_parameters["order_id"] = facts["away"]
        case.body = {"gift_code": facts["gift_code"], "amount": 0.01}
    if operation == "moveCash":
        body["amount"] = 1
    if operation == "countTill":
        # A sum or notes; and whatever it is, somebody may find it so.
        case.body = {"counted_amount": 1, "reason": "found so"}
    if operation not in ("takeOrder", "changeOrder", "actOnOrder"):
        return
    # Only a delivery goes to a place.
    body.pop("latitude", None)
    body.pop("longitude", None)
    if body.get("lines") and operation != "actOnOrder":
        body["lines"] = [{"item_id": facts["floor_item"], "quantity": 1}]
    if operation == "takeOrder":
        body |= {"venue_id": facts["floor"], "table_id": facts["floor_table"], "order_type": "dine_in"}
        body.pop("payment_method", None)
    else:
        case.path_parameters["order_id"] = facts["order_id"]
        body.pop("revision", None)
        body.pop("waiter_id", None)
    if operation == "changeOrder" and "table_id" in body:
        body["table_id"] = facts["floor_table"]
    if operation == "actOnOrder":
        case.path_parameters["action"] = _REPEATABLE
        body["minutes"] = 1


def _fit_bill(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """One of several ways to say how much, and so little that the bill stays open."""
    case.path_parameters["tab_id"] = facts["spare_tab"] if operation in ("closeTab", "moveTab") else facts["tab"]
    if operation == "takePayment":
        by_gift = {"gift_code": facts["gift_code"]} if case.body["method"] == "gift" else {}
        case.body = {"method": case.body["method"], "amount": 0.01, **by_gift}
    if operation == "askForPayment":
        case.body = {"amount": 0.01, **({"phone": case.body["phone"]} if case.body.get("phone") else {})}
    if operation == "giveReceipt":
        case.body = {"by": "message", "phone": "905559990001"}
    if operation == "giveDiscount":
        case.body = {"amount": 0.01, "reason": case.body["reason"]}
    if operation == "moveTab":
        case.body = {"table_id": facts["floor_table"]}


def take_days(operation: str, query: dict[str, Any]) -> None:
    """Days that there are, in their order and not too many."""
    if operation in ("getSales", "exportSales", "getDaySummary", "getTakings", "exportTakings"):
        for name, day in (("since", "2026-02-01"), ("until", "2026-03-01"), ("day", "2026-02-01")):
            if query.get(name):
                query[name] = day
        if "since" in query and not query.get("until"):
            query.pop("since")
