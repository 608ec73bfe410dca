"""An order as it counts for its customer, and what it adds to their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from tablegram.restaurant.figures.rows import CountedRow
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.states import DEAD
from tablegram.storage.database import Params

Kind = Literal["item", "category", "venue", "order_type", "currency"]
# Nothing was sold yet, or no longer.
_UNHEARD = DEAD | {"awaiting_confirmation", "awaiting_payment"}
_COUNTS = msgspec.json.Decoder(dict[str, int])
_TRANSLATIONS = msgspec.json.Decoder(dict[str, dict[str, str]])
_encode = msgspec.json.Encoder(order="deterministic").encode


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of an order that counts."""

    account_id: int
    order_key: str
    contact_id: str
    at: int
    venue_id: str
    order_type: str
    currency: str
    amount: int
    dishes: dict[str, int]
    categories: dict[str, int]

    def tallies(self) -> Iterator[tuple[Kind, str, int]]:
        """What it adds, by kind and key."""
        for item, many in self.dishes.items():
            yield "item", item, many
        for category, many in self.categories.items():
            yield "category", category, many
        yield "venue", self.venue_id, 1
        yield "order_type", self.order_type, 1
        yield "currency", self.currency, self.amount


def counts(order: Order) -> bool:
    """From when the kitchen has it, until it is called off or all of its money has gone back."""
    return order.contact_id is not None and order.state not in _UNHEARD and order.payment_state != "refunded"


def dishes_of(order: Order) -> dict[str, int]:
    found: Counter[str] = Counter()
    for line in order.lines:
        found[line.item_id] += line.quantity
    return dict(found)


def by_category(dishes: Mapping[str, int], category: Mapping[str, str]) -> dict[str, int]:
    """A dish that the menu has no more is of no category."""
    found: Counter[str] = Counter()
    for item, many in dishes.items():
        if item in category:
            found[category[item]] += many
    return dict(found)


def most_of(dishes: str) -> str:
    """The dish that an order had most of, from its row; nothing where it had none."""
    found = _COUNTS.decode(dishes)
    return max(found, key=lambda dish: found[dish], default="")


def name_in(own: str, translations: str, language: str) -> str:
    """What the menu calls a dish in a language, from its row; its own name where that was not translated."""
    return _TRANSLATIONS.decode(translations).get(language, {}).get("name") or own


def write(one: Counted) -> Params:
    row = {name: getattr(one, name) for name in one.__struct_fields__}
    return {**row, "dishes": _encode(one.dishes).decode(), "categories": _encode(one.categories).decode()}


def read(row: CountedRow) -> Counted:
    return Counted(
        account_id=row["account_id"],
        order_key=row["order_key"],
        contact_id=row["contact_id"],
        at=row["at"],
        venue_id=row["venue_id"],
        order_type=row["order_type"],
        currency=row["currency"],
        amount=row["amount"],
        dishes=_COUNTS.decode(row["dishes"]),
        categories=_COUNTS.decode(row["categories"]),
    )
