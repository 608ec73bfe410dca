"""The services of loyalty: its desks, and what of it works automatically."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablegram.flows.loyalty.gifts.clock import GiftClock
from tablegram.flows.loyalty.points_clock import PointsClock

if TYPE_CHECKING:
    # The desks come with the first address that asks for them.
    from tablegram.flows.loyalty.desks.card_desk import CardDesk
    from tablegram.flows.loyalty.desks.coupon_desk import CouponDesk
    from tablegram.flows.loyalty.desks.gift_desk import GiftDesk
    from tablegram.flows.loyalty.desks.points_desk import PointsDesk
    from tablegram.flows.loyalty.desks.redeem_desk import RedeemDesk


@dataclass(frozen=True, slots=True)
class LoyaltyServices:
    points: PointsDesk
    coupons: CouponDesk
    cards: CardDesk
    redeeming: RedeemDesk
    gifts: GiftDesk


@dataclass(frozen=True, slots=True)
class LoyaltyWorks:
    clock: PointsClock
    gift_clock: GiftClock
