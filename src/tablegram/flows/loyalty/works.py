"""What of loyalty works by itself."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.loyalty.gifts.clock import GiftClock
from tablegram.flows.loyalty.points_clock import PointsClock


@dataclass(frozen=True, slots=True)
class LoyaltyWorks:
    clock: PointsClock
    gift_clock: GiftClock
