"""What may be given when something of loyalty is made or changed. What is not named is not there."""

from __future__ import annotations

from typing import NotRequired, Required, TypedDict

from tablegram.loyalty.coupons import Gives, Kind, OrderType
from tablegram.loyalty.gifts.model import PaidBy
from tablegram.loyalty.model import Variable


class RateFields(TypedDict):
    currency: str
    per: float
    worth: NotRequired[float]


class TemplateFields(TypedDict):
    name: str
    language: str
    variables: list[Variable]


class ProgrammeFields(TypedDict, total=False):
    is_on: bool
    rates: list[RateFields]
    expires_months: int
    warn_days: int
    warn_templates: list[TemplateFields]


class OfferFields(TypedDict, total=False):
    """What a guest is given; amounts are decimal numbers of `currency`."""

    name: str
    gives: Gives
    percent: float
    amount: float
    currency: str
    item_id: str | None
    category_id: str | None
    minimum: float


class RewardOfCard(OfferFields, total=False):
    days: int


class CouponFields(OfferFields, total=False):
    """Times are milliseconds."""

    code: str
    kind: Kind
    per_person: int | None
    in_all: int | None
    venue_id: str | None
    order_types: list[OrderType]
    starts_at: int | None
    ends_at: int | None
    contact_id: str | None
    is_active: bool


class KeptCoupon(TypedDict, total=False):
    """A coupon's fields as they are kept: minor units, hundredths of a percent."""

    name: str
    kind: Kind
    gives: Gives
    percent: int
    amount: int
    currency: str
    item_id: str | None
    category_id: str | None
    minimum: int
    per_person: int | None
    in_all: int | None
    venue_id: str | None
    order_types: tuple[OrderType, ...]
    starts_at: int | None
    ends_at: int | None
    contact_id: str | None
    is_active: bool


class CardFields(TypedDict, total=False):
    name: str
    needed: int
    reward: RewardOfCard
    item_id: str | None
    category_id: str | None
    expires_months: int
    is_active: bool


class RewardFields(TypedDict, total=False):
    """A coupon's code, or points: 0 is as many as the order needs."""

    code: str | None
    points: int | None


class RedeemFields(RewardFields, total=False):
    order_id: Required[str]
    contact_id: str
    phone: str


class ReceiverFields(TypedDict, total=False):
    """Who gets a gift card."""

    phone: str | None
    contact_id: str | None


class GiftFields(ReceiverFields, total=False):
    """`expires_at` is in milliseconds."""

    amount: Required[float]
    paid_by: Required[PaidBy]
    reason: str
    venue_id: str | None
    from_name: str
    greeting: str
    language: str
    expires_at: int | None
    sends: bool
