"""What is answered about the programme, its points, coupons and stamp cards. Amounts are decimal numbers of their currency."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.loyalty import coupons, model
from tablegram.values.clock import MomentText

Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$", description="ISO 4217.", examples=["TRY"])]
PointMonths = Annotated[int, Meta(ge=0, le=120, description="Unused points expire after so many months; 0 keeps them.")]
StampMonths = Annotated[int, Meta(ge=0, le=120, description="Unused stamps expire after so many months; 0 keeps them.")]
WarnDays = Annotated[
    int, Meta(ge=0, le=90, description="So many days ahead guests who agreed are told, once; 0 tells nobody.")
]


class LoyaltyRate(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """What brings points in one currency, and what they take off."""

    currency: Currency
    per: Annotated[float, Meta(gt=0, le=1_000_000, description="So much that is paid brings one point.", examples=[10])]
    worth: Annotated[
        float, Meta(ge=0, le=1_000_000, description="So much one point takes off; no more than `per`.", examples=[0.5])
    ] = 0


class LoyaltyWarnTemplate(Struct, kw_only=True, forbid_unknown_fields=True, frozen=True):
    """An approved template for guests who have not written for a day, on a cloud line. It is told as `marketing`."""

    name: Annotated[str, Meta(min_length=1, max_length=512, pattern="^[a-z0-9_]+$", examples=["points_soon"])]
    language: Annotated[str, Meta(pattern="^[a-z]{2,3}(_[A-Z]{2,4})?$", examples=["tr"])]
    variables: Annotated[
        list[model.Variable],
        Meta(
            max_length=10, description="What fills the places of its body, in their order: `day` is when they expire."
        ),
    ] = []


WarnTemplates = Annotated[
    list[LoyaltyWarnTemplate],
    Meta(
        max_length=20,
        description="One for each language: a guest hears in theirs, else in the venue's first, else in the first of "
        "these. Empty: guests who have not written for a day are not told.",
    ),
]


class LoyaltyProgramme(Struct, kw_only=True, frozen=True):
    """The programme of the account."""

    is_on: bool
    rates: list[LoyaltyRate]
    expires_months: PointMonths
    warn_days: WarnDays
    warn_templates: WarnTemplates
    updated_at: MomentText | None


class LoyaltyWorth(Struct, kw_only=True, frozen=True):
    currency: str
    amount: float


class LoyaltyMember(Struct, kw_only=True, frozen=True):
    """A guest's points: `given - redeemed - expired - taken` is `balance`."""

    contact_id: str
    name: Annotated[str, Meta(description="Empty where the caller may not read contacts.")]
    phone: Annotated[str, Meta(description="Empty where the caller may not read contacts.")]
    balance: Annotated[int, Meta(ge=0)]
    worth: list[LoyaltyWorth]
    given: int
    redeemed: int
    expired: int
    taken: int
    updated_at: MomentText | None


class ExpiringPoints(Struct, kw_only=True, frozen=True):
    points: int
    at: MomentText


class CollectedStamps(Struct, kw_only=True, frozen=True):
    """A guest's stamps on a card."""

    card_id: str
    name: str
    stamps: Annotated[int, Meta(ge=0)]
    needed: Annotated[int, Meta(description="So many make it a coupon.")]
    reward: Annotated[str, Meta(description="What the coupon is called.")]


class WholeLoyaltyMember(LoyaltyMember, kw_only=True, frozen=True):
    """A guest's points, which of them expire next, and their stamps."""

    expiring: ExpiringPoints | None
    cards: Annotated[list[CollectedStamps], Meta(description="On each stamp card that is in use.")]


class LoyaltyMemberPage(Struct, kw_only=True, frozen=True):
    """Members, those with the most points first."""

    data: list[LoyaltyMember]
    next_cursor: str | None


class LoyaltyMovement(Struct, kw_only=True, frozen=True):
    """Points that came or went."""

    id: str
    kind: Annotated[
        Literal["earn", "reverse", "redeem", "give_back", "expire", "adjust"],
        Meta(
            description="`reverse`: their order's money went back. `give_back`: the order they were used on was called off."
        ),
    ]
    points: Annotated[int, Meta(description="Negative where points went.")]
    short: Annotated[int, Meta(description="So many were to go and were not there any more; nobody owes them.")]
    balance: Annotated[int, Meta(description="What was there after it.")]
    unused: Annotated[int, Meta(description="Of points that came: how many are still there.")]
    expires_at: MomentText | None
    order_id: Annotated[str, Meta(description="The order that it came from; else empty.")]
    reason: str
    by: str
    created_at: MomentText


class LoyaltyMovementPage(Struct, kw_only=True, frozen=True):
    """Movements of one member's points, newest first."""

    data: list[LoyaltyMovement]
    next_cursor: str | None


class AdjustedPoints(Struct, kw_only=True, frozen=True):
    """What moved, and the member after it."""

    movement: LoyaltyMovement
    member: WholeLoyaltyMember


class LoyaltyDay(Struct, kw_only=True, frozen=True):
    """The points of one day."""

    day: Annotated[str, Meta(extra_json_schema={"format": "date"}, description="By the clock of UTC.")]
    given: int
    redeemed: int
    expired: int
    taken: int


class LoyaltyFigures(Struct, kw_only=True, frozen=True):
    """What the programme did over some days."""

    members: int
    outstanding: Annotated[int, Meta(description="Points that guests have at this moment.")]
    outstanding_worth: list[LoyaltyWorth]
    given: int
    redeemed: int
    expired: int
    taken: int
    days: list[LoyaltyDay]


class CouponView(Struct, kw_only=True, frozen=True):
    """A coupon."""

    id: str
    code: str
    name: str
    kind: coupons.Kind
    gives: coupons.Gives
    percent: float
    amount: float
    currency: str
    item_id: str | None
    category_id: str | None
    minimum: float
    per_person: int | None
    in_all: int | None
    venue_id: str | None
    order_types: list[coupons.OrderType]
    starts_at: MomentText | None
    ends_at: MomentText | None
    contact_id: str | None
    is_active: bool
    used: Annotated[int, Meta(description="On orders that run or are over.")]
    by: str
    created_at: MomentText


class CouponPage(Struct, kw_only=True, frozen=True):
    """Coupons, newest first."""

    data: list[CouponView]
    next_cursor: str | None


class CheckedCoupon(Struct, kw_only=True, frozen=True):
    """Whether a code is valid."""

    holds: bool
    reason: Annotated[str, Meta(description="Why it is not valid, as a stable code; else empty.")]
    detail: str
    coupon: CouponView | None


class RedemptionView(Struct, kw_only=True, frozen=True):
    """What is used on an order."""

    id: str
    kind: Literal["points", "coupon"]
    state: Annotated[
        Literal["chosen", "held", "final", "given_back"],
        Meta(description="`held` while the order runs, `final` when it is over."),
    ]
    contact_id: str
    coupon_id: str | None
    order_id: str
    name: str
    points: int
    amount: Annotated[float, Meta(description="What it takes off.")]
    currency: str
    by: str
    created_at: MomentText


class StampRewardView(Struct, kw_only=True, frozen=True):
    """The coupon that a full card becomes."""

    name: str
    gives: coupons.Gives
    percent: float
    amount: float
    currency: str
    item_id: str | None
    category_id: str | None
    minimum: float
    days: Annotated[int, Meta(description="How many days the coupon is valid.")]


class StampCard(Struct, kw_only=True, frozen=True):
    """A stamp card."""

    id: str
    name: str
    item_id: str | None
    category_id: str | None
    needed: int
    reward: StampRewardView
    expires_months: StampMonths
    is_active: bool
    created_at: MomentText


class StampCardList(Struct, kw_only=True, frozen=True):
    """The account's stamp cards, newest first."""

    data: list[StampCard]
