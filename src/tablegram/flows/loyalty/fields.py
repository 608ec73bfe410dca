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


class WhatIsGiven(TypedDict, total=False):
    """However amounts are written."""

    name: str
    gives: Gives
    currency: str
    item_id: str | None
    category_id: str | None


class OfferFields(WhatIsGiven, total=False):
    """What a guest is given; amounts are decimal numbers of `currency`."""

    percent: float
    amount: float
    minimum: float


class RewardOfCard(OfferFields, total=False):
    days: int


class CouponTerms(TypedDict, total=False):
    """Who may use a coupon, where, when and how often. Times are milliseconds."""

    kind: Kind
    per_person: int | None
    in_all: int | None
    venue_id: str | None
    starts_at: int | None
    ends_at: int | None
    contact_id: str | None
    is_active: bool


class CouponFields(OfferFields, CouponTerms, total=False):
    code: str
    order_types: list[OrderType]


class KeptCoupon(WhatIsGiven, CouponTerms, total=False):
    """A coupon's fields as they are kept: minor units, hundredths of a percent."""

    percent: int
    amount: int
    minimum: int
    order_types: tuple[OrderType, ...]


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
