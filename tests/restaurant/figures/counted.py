"""Customers' figures counted again from the orders alone, in plain Python, to compare the kept ones with."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select

from tablegram.storage.tables import (
    customer_figures,
    customer_orders,
    customer_tallies,
    menu_items,
    order_payments,
    orders,
)

LOST = {"awaiting_confirmation", "awaiting_payment", "cancelled", "rejected", "expired"}
# Everything that is read, by its name; whoever asks says of which account.
READ = {
    table.name: select(table).where(table.c.account_id == 1)
    for table in (orders, order_payments, menu_items, customer_orders, customer_figures, customer_tallies)
}
Rows = Iterable[Mapping[str, Any]]


def expected(read: Mapping[str, Rows]) -> tuple[dict[str, Any], dict[Any, Any]]:
    """(orders, first, last) by contact; (orders, quantity, is_top) by contact, kind and key."""
    back: Counter[str] = Counter()
    for row in read["order_payments"]:
        if (row["kind"], row["state"]) == ("refund", "succeeded"):
            back[row["order_key"]] += row["amount"]
    category = {row["id"]: row["category_id"] for row in read["menu_items"]}
    times: dict[str, list[int]] = defaultdict(list)
    tallies: dict[str, dict[tuple[str, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in read["orders"]:
        who = row["contact_id"]
        if who is None or row["state"] in LOST or row["payment_state"] == "refunded":
            continue
        times[who].append(row["created_at"])
        dishes: Counter[str] = Counter()
        for line in json.loads(row["lines"]):
            dishes[line["item_id"]] += line["quantity"]
        sorts: Counter[str] = Counter()
        for item, many in dishes.items():
            if item in category:
                sorts[category[item]] += many
        parts = [("item", key, many) for key, many in dishes.items()]
        parts += [("category", key, many) for key, many in sorts.items()]
        parts += [("venue", row["venue_id"], 1), ("order_type", row["order_type"], 1)]
        parts += [("currency", row["currency"], max(0, row["total"] - back[row["id"]]))]
        for kind, key, many in parts:
            tallies[who][kind, key].append(many)
    figures = {who: (len(found), min(found), max(found)) for who, found in times.items()}
    return figures, {
        (who, kind, key): (len(many), sum(many), int(kind != "currency" and sum(many) == _most(sums, kind)))
        for who, sums in tallies.items()
        for (kind, key), many in sums.items()
    }


def _most(sums: Mapping[tuple[str, str], list[int]], kind: str) -> int:
    return max(sum(many) for (one, _), many in sums.items() if one == kind)


def kept(read: Mapping[str, Rows]) -> tuple[dict[str, Any], dict[Any, Any]]:
    figures = {row["contact_id"]: (row["orders"], row["first_at"], row["last_at"]) for row in read["customer_figures"]}
    return figures, {
        (row["contact_id"], row["kind"], row["key"]): (row["orders"], row["quantity"], row["is_top"])
        for row in read["customer_tallies"]
    }
