"""What guests and staff fill in for an order, and what is wrong with it in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tablegram.errors import Conflict, FieldError, Invalid
from tablegram.restaurant import hours
from tablegram.restaurant.carts import contents
from tablegram.restaurant.lines import DishLine, Reckoning
from tablegram.restaurant.orders.states import OrderType, PaymentMethod
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue

MAX_NAME = 80


def check_takes_orders(venue: Venue, now: int) -> None:
    if not hours.look(venue.hours, now).takes_orders:
        raise Conflict("The restaurant takes no orders right now.", code="venue_closed")


def check_method(offered: Sequence[PaymentMethod], method: object) -> PaymentMethod:
    """The way of paying that was chosen among those that are offered, or the usual one."""
    if not method:
        return offered[0]
    chosen = next((one for one in offered if one == method), None)
    if chosen is None:
        raise Invalid.field(
            "payment_method", "payment_method_invalid", f"It can be paid by one of {', '.join(offered)}."
        )
    return chosen


# What a courier cannot do without, and what staff are told when it is missing.
_COURIER_NEEDS = {
    "address": ("address_needed", "A delivery needs an address. Write where it goes."),
    "customer_phone": ("phone_needed", "A delivery needs the guest's phone number. Write it with the country code."),
    "customer_name": ("name_needed", "A delivery needs the guest's name. Write who receives it."),
}


def check_delivery(order_type: str, given: Mapping[str, str]) -> None:
    """Refuses a delivery that no courier could bring; each field of `given` that is empty is named."""
    missing = [FieldError(name, *_COURIER_NEEDS[name]) for name in _COURIER_NEEDS if given.get(name) == ""]
    if order_type == "delivery" and missing:
        raise Invalid.fields(missing)


def parse_lines(given: object) -> tuple[DishLine, ...]:
    """Lines as a browser or a program wrote them."""
    if isinstance(given, list | tuple) and len(given) > contents.MAX_LINES:
        raise Invalid.field(
            "lines",
            "too_many_lines",
            f"A cart has at most {contents.MAX_LINES} lines; this one has {len(given):,}. Send it as several orders.",
        )
    try:
        return msgspec.convert(given, tuple[DishLine, ...])
    except msgspec.ValidationError as error:
        raise Invalid.field("lines", "lines_invalid", f"The lines cannot be read: {error}.") from None


def check_type(venue: Venue, order_type: str) -> None:
    if order_type not in venue.order_types:
        raise Invalid.field("order_type", "order_type_unavailable", f"Choose one of {', '.join(venue.order_types)}.")


def usual_type(venue: Venue, table: Table | None) -> OrderType:
    """At a table one eats there; elsewhere one takes it away."""
    if table is not None and "dine_in" in venue.order_types:
        return "dine_in"
    return next((one for one in venue.order_types if one != "dine_in"), venue.order_types[0])


def clean_language(venue: Venue, wanted: object) -> str:
    language = str(wanted or "").partition("-")[0].lower()
    # The page and our messages speak more languages than a menu may have; its dishes then keep their own names.
    return language if len(language) == 2 and language.isascii() and language.isalpha() else venue.languages[0]


def must_be_had(reckoned: Reckoning, lines: tuple[DishLine, ...]) -> None:
    """Refuses what cannot be had, line by line."""
    errors = [
        FieldError(f"lines[{lines.index(trouble.line)}]", problem.code, problem.detail)
        for trouble in reckoned.troubles
        for problem in trouble.problems
    ]
    if errors:
        raise Invalid.fields(errors)
    if not reckoned.lines:
        raise Invalid.field("lines", "cart_empty", "An order has at least one line.")
