"""Bodies of the calls about coupons and what is redeemed."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import Phone, line, moment, token

_OrderType = Literal["dine_in", "takeaway", "delivery"]
_Id = Annotated[str, token(64, "Its id.")]
_Name = Annotated[str, line(80, "What the guest gets, as they read it.", "10% off your first order")]
_Code = Annotated[
    str,
    Meta(
        min_length=3,
        max_length=32,
        pattern="^[A-Za-z0-9]+$",
        description="Absent: one is made.",
        examples=["WELCOME10"],
    ),
]
_Limit = Annotated[int, Meta(ge=1, le=1_000_000)]
_Money = Annotated[float, Meta(ge=0, le=1_000_000)]
_Moment = Annotated[str, moment("RFC 3339 with an offset.")]
_PerPerson = Annotated[_Limit | None, Meta(description="How often one guest may use it; null: without a limit.")]
_InAll = Annotated[_Limit | None, Meta(description="How often it may be used in all; null: without a limit.")]
_Starts = Annotated[_Moment | None, Meta(description="From when it is valid; null: at once.")]
_Ends = Annotated[_Moment | None, Meta(description="Until when it is valid; null: until it is switched off.")]


class CreateCoupon(Struct, kw_only=True, forbid_unknown_fields=True):
    """A coupon. `gives` says which of `percent`, `amount` and `item_id` or `category_id` it needs."""

    name: _Name
    gives: Literal["percent", "amount", "item"]
    code: _Code | UnsetType = UNSET
    kind: Literal["welcome", "birthday", "win_back", "code"] = "code"
    percent: Annotated[float, Meta(ge=0, le=100, description="Of the dishes, without charges.", examples=[10])] = 0
    amount: _Money = 0
    currency: Annotated[str, Meta(pattern="^([A-Z]{3})?$", description="Needed for an `amount` or a `minimum`.")] = ""
    item_id: Annotated[_Id | None, Meta(description="One of this dish is free.")] = None
    category_id: Annotated[_Id | None, Meta(description="One dish of this category is free: what costs least.")] = None
    minimum: Annotated[float, Meta(ge=0, le=1_000_000, description="What the dishes come to at least.")] = 0
    per_person: _PerPerson = 1
    in_all: _InAll = None
    venue_id: Annotated[_Id | None, Meta(description="Only there; null: everywhere.")] = None
    order_types: Annotated[list[_OrderType], Meta(max_length=3, description="Only these; empty: any.")] = []
    starts_at: _Starts = None
    ends_at: _Ends = None
    contact_id: Annotated[_Id | None, Meta(description="Only for this contact; null: for everybody.")] = None


class UpdateCoupon(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; what it gives stays."""

    name: _Name | UnsetType = UNSET
    per_person: _PerPerson | UnsetType = UNSET
    in_all: _InAll | UnsetType = UNSET
    starts_at: _Starts | UnsetType = UNSET
    ends_at: _Ends | UnsetType = UNSET
    is_active: Annotated[bool, Meta(description="False ends it; orders that have it keep it.")] | UnsetType = UNSET


class CheckCoupon(Struct, kw_only=True, forbid_unknown_fields=True):
    """A code, and perhaps whose."""

    code: Annotated[str, line(64, "As the guest typed it.", "welcome 10")]
    contact_id: Annotated[_Id | None, Meta(description="Null: whether it is valid for anybody.")] = None


class RedeemReward(Struct, kw_only=True, forbid_unknown_fields=True):
    """A code or points, and the order that they are used on."""

    order_id: Annotated[str, token(64, "The order.", "ORD-20261115-0042")]
    code: Annotated[str, line(64, "Of a coupon.", "WELCOME10")] | UnsetType = UNSET
    points: (
        Annotated[int, Meta(ge=0, le=1_000_000_000, description="How many; 0: as many as the order needs.")] | UnsetType
    ) = UNSET
    contact_id: Annotated[_Id, Meta(description="Whose. Absent, like `phone`: the order's own guest.")] | UnsetType = (
        UNSET
    )
    phone: Phone | UnsetType = UNSET
