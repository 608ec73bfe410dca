"""The kinds of notifications, what each may be filled in with, and which of them another one makes pointless."""

from __future__ import annotations

from typing import Literal

from tablegram.stores.ports import EventKind

Kind = Literal[
    "order_confirmation",
    "payment_received",
    "shipping",
    "delivered",
    "cancellation",
    "refund",
    "abandoned_cart",
    "form_reply",
    "form_alert",
]
Language = Literal["en", "tr"]
LANGUAGES: tuple[Language, ...] = ("en", "tr")

# How often at most; all but carts are told of once.
STEPS: dict[Kind, int] = {
    "order_confirmation": 1,
    "payment_received": 1,
    "shipping": 1,
    "delivered": 1,
    "cancellation": 1,
    "refund": 1,
    "abandoned_cart": 3,
    "form_reply": 1,
    "form_alert": 1,
}
KINDS: tuple[Kind, ...] = tuple(STEPS)
# Needs the customer's consent.
MARKETING: frozenset[Kind] = frozenset({"abandoned_cart"})
# Goes to the team, not to a customer.
TO_TEAM: frozenset[Kind] = frozenset({"form_alert"})

CAUSED: dict[EventKind, tuple[Kind, ...]] = {
    "order_created": ("order_confirmation",),
    "order_paid": ("payment_received",),
    "order_shipped": ("shipping",),
    "order_delivered": ("delivered",),
    "order_cancelled": ("cancellation",),
    "order_refunded": ("refund",),
    "form_sent": ("form_reply", "form_alert"),
}
# What is not said any more once the other is told of: events come late and out of order.
OVERTAKES: dict[Kind, tuple[Kind, ...]] = {
    "cancellation": ("order_confirmation", "payment_received", "shipping", "delivered"),
    "delivered": ("shipping",),
}

_ORDER = ("name", "full_name", "number", "total", "items", "shop", "link")
_PARCEL = (*_ORDER, "carrier", "tracking_number", "tracking_link")
VARIABLES: dict[Kind, tuple[str, ...]] = {
    "order_confirmation": _ORDER,
    "payment_received": _ORDER,
    "shipping": _PARCEL,
    "delivered": _PARCEL,
    "cancellation": (*_ORDER, "reason"),
    "refund": (*_ORDER, "reason"),
    "abandoned_cart": ("name", "full_name", "total", "items", "shop", "link"),
    # Whoever fills in a form chooses the number: nothing of their own words goes to it but a plain name.
    "form_reply": ("name", "full_name", "form", "shop"),
    "form_alert": ("name", "full_name", "phone", "email", "form", "answers", "shop"),
}

Button = Literal["track", "pay", "talk"]
BUTTONS: dict[Kind, tuple[Button, ...]] = {
    "order_confirmation": ("track", "pay", "talk"),
    "payment_received": ("track", "talk"),
    "shipping": ("track", "talk"),
    "delivered": ("talk",),
    "cancellation": ("talk",),
    "refund": ("talk",),
    "abandoned_cart": ("pay", "talk"),
    "form_reply": ("talk",),
    "form_alert": (),
}
