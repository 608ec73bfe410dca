"""The services of loyalty."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.loyalty.coupon_desk import CouponDesk
from tablegram.flows.loyalty.points_clock import PointsClock
from tablegram.flows.loyalty.points_desk import PointsDesk
from tablegram.flows.loyalty.redeem_desk import RedeemDesk


@dataclass(frozen=True, slots=True)
class LoyaltyServices:
    points: PointsDesk
    coupons: CouponDesk
    redeeming: RedeemDesk


@dataclass(frozen=True, slots=True)
class LoyaltyWorks:
    clock: PointsClock
