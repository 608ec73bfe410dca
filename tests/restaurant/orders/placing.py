"""What it takes to place an order."""

from __future__ import annotations

from datetime import date
from typing import Any

from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders.keeping import Placing
from tests.restaurant.kept import priced


def placing(**changes: Any) -> Placing:
    made: dict[str, Any] = {
        "account_id": 1, "venue_id": "v", "day": date(2026, 11, 15), "currency": "TRY", "accepts_by_itself": True,
        "order_type": "dine_in", "payment_method": "pos_at_table", "lines": priced(DishLine("tea", 2)),
    }  # fmt: skip
    return Placing(**{**made, **changes})
