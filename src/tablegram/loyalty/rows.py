"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.loyalty.gifts.model import Kind as GiftMoveKind
from tablegram.loyalty.gifts.model import PaidBy
from tablegram.loyalty.gifts.model import State as GiftState
from tablegram.loyalty.model import Kind as MovementKind
from tablegram.storage.shapes import TypedDict

CouponKind = Literal["welcome", "birthday", "win_back", "code", "stamps"]
CouponGives = Literal["percent", "amount", "item"]
RedemptionKind = Literal["points", "coupon"]
RedemptionState = Literal["chosen", "held", "final", "given_back"]
StampKind = Literal["earn", "reverse", "reward", "give_back", "expire"]
WarningAbout = Literal["points_expire", "gift_expires", "gift"]


class WithId(TypedDict):
    id: str


class WhoseRow(TypedDict):
    account_id: int
    contact_id: str


class WhichRow(WithId):
    account_id: int


class ProgrammeRow(TypedDict):
    account_id: int
    is_on: int
    # By currency, as JSON.
    rates: str
    expires_months: int
    warn_days: int
    updated_at: int
    # Templates as JSON; nothing where nobody is told by one.
    warn_template: str | None


class MemberRow(WhoseRow):
    balance: int
    given: int
    redeemed: int
    expired: int
    taken: int
    created_at: int
    updated_at: int


class BalanceRow(TypedDict):
    contact_id: str
    balance: int


class MovementRow(WhichRow):
    contact_id: str
    kind: MovementKind
    cause: str
    points: int
    short: int
    balance: int
    unused: int
    expires_at: int | None
    warned_at: int | None
    order_key: str | None
    order_id: str
    rate: int
    reason: str
    by: str
    created_at: int


class TotalsRow(TypedDict):
    members: int
    balance: int
    given: int
    redeemed: int
    expired: int
    taken: int


class PointsOfDay(TypedDict):
    kind: MovementKind
    came: int
    # Which day of the stretch.
    slot: int
    points: int


class CouponRow(WhichRow):
    code: str
    shown_code: str
    name: str
    kind: CouponKind
    gives: CouponGives
    percent: int
    amount: int
    currency: str
    item_id: str | None
    category_id: str | None
    minimum: int
    per_person: int | None
    in_all: int | None
    venue_id: str | None
    # A list as JSON.
    order_types: str
    starts_at: int | None
    ends_at: int | None
    contact_id: str | None
    cause: str | None
    is_active: int
    used: int
    by: str
    created_at: int
    updated_at: int


class RedemptionRow(WhichRow):
    kind: RedemptionKind
    contact_id: str
    coupon_id: str | None
    order_key: str | None
    order_id: str
    venue_id: str | None
    state: RedemptionState
    turn: int | None
    points: int
    amount: int
    currency: str
    name: str
    by: str
    until: int | None
    created_at: int
    updated_at: int


class UseRow(TypedDict):
    turn: int | None


class GiftRow(WhichRow):
    code: str
    venue_id: str
    currency: str
    value: int
    balance: int
    spent: int
    expired: int
    cancelled: int
    state: GiftState
    paid_by: PaidBy
    reason: str
    contact_id: str | None
    from_name: str
    greeting: str
    language: str
    expires_at: int | None
    warned_at: int | None
    sent_at: int | None
    by: str
    made_by: str
    created_at: int
    updated_at: int


class GiftMoveRow(WhichRow):
    gift_id: str
    kind: GiftMoveKind
    cause: str
    amount: int
    balance: int
    currency: str
    money: int
    method: str
    venue_id: str
    payment_id: str | None
    tab_id: str | None
    reason: str
    by: str
    created_at: int


class OwedRow(TypedDict):
    currency: str
    balance: int
    cards: int


class SoldRow(TypedDict):
    method: str
    money: int


class CardRow(WhichRow):
    name: str
    item_id: str | None
    category_id: str | None
    needed: int
    # What a full card becomes, as JSON.
    offer: str
    expires_months: int
    is_active: int
    created_at: int
    updated_at: int


class CollectedRow(WhoseRow):
    card_id: str
    balance: int
    given: int
    rewarded: int
    expired: int
    taken: int
    updated_at: int


class StampRow(WhichRow):
    card_id: str
    contact_id: str
    kind: StampKind
    cause: str
    stamps: int
    short: int
    unused: int
    expires_at: int | None
    order_key: str | None
    order_id: str
    coupon_id: str | None
    created_at: int


class CardOfGuest(WhoseRow):
    card_id: str


class ProofRow(TypedDict):
    account_id: int
    code: str
    venue_id: str
    secret_hash: str
    language: str
    # Nobody until the message has come.
    contact_id: str | None
    expires_at: int
    created_at: int


class WarningRow(WhichRow):
    contact_id: str
    points: int
    expires_at: int
    message_key: str | None
    reason: str
    created_at: int
    about: WarningAbout
    gift_id: str
