"""Bodies of the calls about stamp cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.api.schemas.fields import line, token
from tablegram.flows.loyalty.answers.rewards import StampMonths

_Id = Annotated[str, token(64, "Its id.")]
_Name = Annotated[str, line(80, "What the card is called, as guests read it.", "Coffee card")]
_Money = Annotated[float, Meta(ge=0, le=1_000_000)]


class StampReward(Struct, kw_only=True, forbid_unknown_fields=True):
    """The coupon that a full card becomes. `gives` says which of `percent`, `amount` and `item_id` or `category_id` it needs."""

    name: Annotated[str, line(80, "What the guest gets, as they read it.", "A coffee on us")]
    gives: Literal["percent", "amount", "item"]
    percent: Annotated[float, Meta(ge=0, le=100, description="Of the dishes, without charges.")] = 0
    amount: _Money = 0
    currency: Annotated[str, Meta(pattern="^([A-Z]{3})?$", description="Needed for an `amount` or a `minimum`.")] = ""
    item_id: Annotated[_Id | None, Meta(description="One of this dish is free.")] = None
    category_id: Annotated[_Id | None, Meta(description="One dish of this category is free: what costs least.")] = None
    minimum: Annotated[float, Meta(ge=0, le=1_000_000, description="What the dishes come to at least.")] = 0
    days: Annotated[int, Meta(ge=1, le=366, description="How many days the coupon is valid.")] = 60


class CreateStampCard(Struct, kw_only=True, forbid_unknown_fields=True):
    """A card. It counts a dish, the dishes of a category, or visits where neither is named: at most one in a day."""

    name: _Name
    needed: Annotated[int, Meta(ge=2, le=100, description="So many stamps make it a coupon.", examples=[10])]
    reward: StampReward
    item_id: Annotated[_Id | None, Meta(description="A stamp for each of this dish.")] = None
    category_id: Annotated[_Id | None, Meta(description="A stamp for each dish of this category.")] = None
    expires_months: StampMonths = 0


class UpdateStampCard(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; what it counts and gives stays."""

    name: _Name | UnsetType = UNSET
    expires_months: StampMonths | UnsetType = UNSET
    is_active: (
        Annotated[bool, Meta(description="False: it takes no more stamps; its coupons stay valid.")] | UnsetType
    ) = UNSET
