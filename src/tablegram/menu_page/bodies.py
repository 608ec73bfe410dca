"""What the page's script may send. Nothing here holds a price."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.values import Json


class ChoiceBody(msgspec.Struct):
    option_id: str
    quantity: int = 1


class LineBody(msgspec.Struct):
    item_id: str
    quantity: int = 1
    choices: list[ChoiceBody] = []
    note: str = ""


class PointBody(msgspec.Struct):
    """Where the phone is, in degrees."""

    latitude: float
    longitude: float


class CartBody(msgspec.Struct):
    """A cart, or what changed of it; what is left out stays as it is."""

    lines: list[LineBody] | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    language: str | UnsetType = UNSET
    order_type: Literal["dine_in", "takeaway", "delivery"] | UnsetType = UNSET
    place: PointBody | UnsetType | None = UNSET
    # The version of the sentence that is ticked; empty for none.
    offers: str | UnsetType = UNSET
    revision: int | UnsetType = UNSET
    # Made by the phone, so that a cart which is sent twice is one cart.
    key: str | UnsetType = UNSET


class PlaceBody(msgspec.Struct):
    """Where the guest sits, as the code on their table says."""

    venue: str | None = None
    table: str | None = None
    t: str | None = None


class OpenCartBody(CartBody):
    """A first cart says also where it is."""

    venue: str | None = None
    table: str | None = None
    t: str | None = None


class GatherBody(msgspec.Struct):
    """Whose dishes are taken along, by the names that the table's view has for them; all of them where none is named."""

    only: list[str] | None = None


class PayBody(msgspec.Struct):
    """How the guest goes on with an order that waits for money."""

    way: Literal["link", "person"]


class CallBody(PlaceBody, kw_only=True):
    kind: Literal["waiter", "bill"]
    note: str = ""
    # With the bill: how it will be paid.
    method: Literal["cash", "card"] | None = None


class PayBillBody(PlaceBody, kw_only=True):
    """A link for all that is open, for an amount in minor units, or for one of so many who still pay."""

    key: str
    language: str = ""
    amount: int | None = None
    parts: int | None = None
    # What goes to the staff on top: a percentage of it, or minor units.
    tip_percent: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    tip: Annotated[int, msgspec.Meta(ge=0)] | None = None
    # The link that the same guest had before.
    instead: str = ""


class GiftCodeBody(PlaceBody, kw_only=True):
    """What is left on the gift card of a code?"""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class GiftBody(msgspec.Struct, kw_only=True):
    """Pay an order with a gift card: minor units, or as much as it has."""

    key: str
    code: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    amount: int | None = None


class GiftBillBody(GiftCodeBody, kw_only=True):
    """The same for the table's bill."""

    key: str
    amount: int | None = None
    # The link that the same guest had before.
    instead: str = ""


class ProveBody(PlaceBody, kw_only=True):
    """Whose phone is it? A message from it shows that."""

    language: str = ""


class RewardBody(msgspec.Struct):
    """What to use on the order to come: a coupon's code, or points; nothing of it where neither is said."""

    code: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    points: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] | None = None


class OrderBody(msgspec.Struct):
    """An order without the network's app."""

    name: str = ""
    phone: str = ""
    # Of the phone that sent the page's message: it orders, whatever number is typed.
    proof: Annotated[str, msgspec.Meta(max_length=100)] | UnsetType = UNSET
    payment_method: str | UnsetType = UNSET
    address: str | UnsetType = UNSET
    notes: str | UnsetType = UNSET
    # A gift card that pays for it, as far as it goes.
    gift_code: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET


_Kind = TypeVar("_Kind")


def fields_of(body: msgspec.Struct, kind: type[_Kind], *, without: tuple[str, ...] = ()) -> _Kind:
    """What was given, as the kind of fields that a flow takes."""
    found: Json = msgspec.to_builtins(body)
    return cast(_Kind, {name: value for name, value in found.items() if name not in without})
