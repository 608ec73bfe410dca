"""The services of loyalty."""

from __future__ import annotations

from dataclasses import dataclass

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
