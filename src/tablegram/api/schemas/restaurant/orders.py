"""Bodies and answers of the calls about orders, calls from tables, and sales."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.delivery.points import Latitude, Longitude
from tablegram.api.schemas.fields import Phone, line, optional_block, optional_line
from tablegram.restaurant.orders.states import OrderType, PaymentMethod

_Id = Annotated[str, line(64, "An id.")]
_Many = Annotated[int, Meta(ge=1, le=99)]
Action = Literal[
    "accept", "reject", "start", "finish", "recall", "serve", "pick_up", "dispatch", "bring_back", "deliver",
    "pay_in_person", "pay", "complete", "delay", "cancel", "refund",
]  # fmt: skip

# What staff say to a guest's wish.
Word = Literal["accept", "refuse"]


class LineChoice(Struct, kw_only=True, forbid_unknown_fields=True):
    """An option of the dish, and how often in one portion."""

    option_id: _Id
    quantity: _Many = 1


class OrderLine(Struct, kw_only=True, forbid_unknown_fields=True):
    """A dish. Names and prices are the menu's."""

    item_id: _Id
    quantity: _Many = 1
    choices: Annotated[list[LineChoice], Meta(max_length=30)] = []
    note: Annotated[str, optional_line(200, "For the kitchen.", "well done")] = ""


_Lines = Annotated[list[OrderLine], Meta(min_length=1, max_length=50, description="What is ordered.")]
_Notes = Annotated[str, optional_block(500, "A note for the whole order.", "Please bring everything at once.")]
_Name = Annotated[str, optional_line(80, "The guest's name.", "Ayşe Yılmaz")]
_Address = Annotated[str, optional_line(300, "Where a delivery goes.", "Moda Caddesi 12, Kadıköy")]
_Revision = Annotated[
    int,
    Meta(ge=1, le=2_000_000_000, description="Only if the order is still this revision; otherwise 409 order_changed."),
]


_Latitude = Annotated[
    Latitude | None, Meta(description="With `longitude`: where a delivery goes. Its zone and fee follow from it.")
]
_Longitude = Annotated[Longitude | None, Meta(description="With `latitude`: where a delivery goes.")]


class TakeOrder(Struct, kw_only=True, forbid_unknown_fields=True):
    """An order that a waiter takes. It goes to the kitchen at once."""

    venue_id: _Id
    lines: _Lines
    order_type: Annotated[
        OrderType | None, Meta(description="Absent: dine_in with a table, else the venue's first kind.")
    ] = None
    table_id: Annotated[_Id | None, Meta(description="Needed for dine_in.")] = None
    notes: _Notes = ""
    customer_name: _Name = ""
    customer_phone: Annotated[Phone | None, Meta(description="Who is told how the order goes on.")] = None
    address: _Address = ""
    latitude: _Latitude = None
    longitude: _Longitude = None
    payment_method: Annotated[PaymentMethod | None, Meta(description="Absent: the usual one of its kind.")] = None
    language: Annotated[
        Annotated[str, Meta(pattern="^[a-z]{2}$", examples=["tr"])] | None,
        Meta(description="In which the guest is written to. Absent: the menu's own."),
    ] = None


class ChangeOrder(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are. Lines replace the ones before."""

    lines: _Lines | UnsetType = UNSET
    notes: _Notes | UnsetType = UNSET
    table_id: Annotated[_Id, Meta(description="Another table of the venue.")] | UnsetType = UNSET
    waiter_id: Annotated[_Id, Meta(description="Another waiter of the venue.")] | UnsetType = UNSET
    customer_name: _Name | UnsetType = UNSET
    address: _Address | UnsetType = UNSET
    latitude: _Latitude | UnsetType = UNSET
    longitude: _Longitude | UnsetType = UNSET
    revision: _Revision | UnsetType = UNSET


class ActOnOrder(Struct, kw_only=True, forbid_unknown_fields=True):
    """What comes with an action; most of them need nothing: `{}`."""

    reason: Annotated[
        str,
        optional_line(
            200, "Of reject (needed) and cancel. The guest is told in these words, so write them in their language."
        ),
    ] = ""
    minutes: Annotated[
        Annotated[int, Meta(ge=1, le=240)] | None, Meta(description="Of delay: how much later, 1 to 240.")
    ] = None
    payment_method: Annotated[PaymentMethod | None, Meta(description="Of pay_in_person: how it is paid after all.")] = (
        None
    )
    paid: Annotated[
        bool,
        Meta(
            description="With serve, pick_up, deliver or complete: the guest has paid in person, as `payment_method` says."
        ),
    ] = False
    amount: Annotated[
        Annotated[float, Meta(gt=0, le=1_000_000_000)] | None,
        Meta(description="Of refund, for what was paid online: how much. Absent: the lines, or all that is left."),
    ] = None
    lines: Annotated[
        list[Annotated[int, Meta(ge=0, le=49)]],
        Meta(
            max_length=50,
            description="Of refund: the items to give back, by their place among `items`; 0 is the first.",
        ),
    ] = []
    revision: Annotated[_Revision | None, Meta(description="Only if the order is still this revision.")] = None


class PayByGift(Struct, kw_only=True, forbid_unknown_fields=True):
    """A gift card that a guest shows, or tells the code of."""

    gift_code: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=64,
            description="The code of the gift card, however it is typed.",
            examples=["7KMP-Q2RX-9TDA"],
        ),
    ]
    amount: Annotated[
        Annotated[float, Meta(gt=0, le=1e12)] | None,
        Meta(description="A decimal number of the order's currency. Absent: what is left on the card, or to pay."),
    ] = None
