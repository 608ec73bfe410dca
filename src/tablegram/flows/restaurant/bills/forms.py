"""What is typed about money, and what is wrong with it in words."""

from __future__ import annotations

from tablegram.errors import Invalid
from tablegram.flows.restaurant.fields import Figure, SplitFields
from tablegram.restaurant.bills.model import Bill, LineShare
from tablegram.restaurant.bills.splitting import Split
from tablegram.values.money import exponent, from_wire


def figure(value: Figure, field: str, currency: str) -> int | None:
    """Minor units of a decimal number; nothing where nothing is said."""
    if value is None or value == "":
        return None
    try:
        return from_wire(value, currency)
    except (ValueError, ArithmeticError):
        places = exponent(currency)
        raise Invalid.field(
            field, "amount_unreadable", f"{field} must be an amount in {currency}, with at most {places} decimals."
        ) from None


def percentage(value: Figure) -> int | None:
    """Hundredths of a percent."""
    if value is None or value == "":
        return None
    try:
        return from_wire(value, "EUR")
    except (ValueError, ArithmeticError):
        raise Invalid.field("percent", "out_of_range", "A percentage has at most two decimals.") from None


def read_split(bill: Bill, fields: SplitFields, currency: str) -> Split:
    """Orders and dishes are named by the numbers of the orders."""
    known = {one.order.order_id: one.order.id for one in bill.entries}
    named = tuple(fields.get("order_ids") or ())
    shares = fields.get("lines") or ()
    wanted = (*named, *(one["order_id"] for one in shares))
    if any(one not in known for one in wanted):
        name = "lines" if shares else "order_ids"
        raise Invalid.field(name, "order_unknown", "One of these orders is not on this bill.")
    return Split(
        amount=figure(fields.get("amount"), "amount", currency),
        orders=tuple(known[one] for one in named),
        lines=tuple(LineShare(known[one["order_id"]], one["line"], one.get("quantity", 1)) for one in shares),
        parts=fields.get("parts"),
    )
