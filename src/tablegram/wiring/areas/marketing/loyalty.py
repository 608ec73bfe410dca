"""Loyalty: points that orders bring, gift cards that bills are paid with, and who asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tablegram.api.routes import routes_of
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.loyalty.earning import Earning
from tablegram.flows.loyalty.gifts.clock import GiftClock
from tablegram.flows.loyalty.gifts.paying import GiftPaying
from tablegram.flows.loyalty.gifts.replies import GiftReplies
from tablegram.flows.loyalty.gifts.telling import GiftTelling
from tablegram.flows.loyalty.own_data import GIFTS, HOLDING, STAMPS, LoyaltyReach
from tablegram.flows.loyalty.points_clock import PointsClock
from tablegram.flows.loyalty.replies import LoyaltyReplies
from tablegram.flows.loyalty.rewards import OrderRewards
from tablegram.flows.loyalty.segment_rules import RULES
from tablegram.flows.loyalty.services import LoyaltyWorks
from tablegram.flows.loyalty.stamping import Stamping
from tablegram.flows.loyalty.telling import PointsTelling
from tablegram.flows.loyalty.warning import SILENCE, Warnings
from tablegram.loyalty.store import proofs, warnings
from tablegram.panel.app import handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.gateway import LineWorks
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part
from tablegram.wiring.roles import Role, drain

if TYPE_CHECKING:
    from tablegram.flows.loyalty.services import LoyaltyServices


def build(
    ground: Ground, engine: Engine, account: AccountServices, events: EventWorks, lines: LineWorks,
    restaurant: RestaurantWorks,
) -> Contribution:  # fmt: skip
    ordering, telling = restaurant.ordering, PointsTelling(events.planner)
    rewards = OrderRewards(ordering, telling)
    rewards.join()
    ordering.followers.append(Earning(telling).follow)
    gift_telling = GiftTelling(events.planner, ordering.telling)
    GiftPaying(ordering, gift_telling).join()
    gift_clock = GiftClock(ground.db, ground.clock, gift_telling, engine.leases)
    ordering.followers.append(Stamping(ordering, telling).follow)
    clock = PointsClock(ground.db, ground.clock, Warnings(lines.queue), telling, engine.leases)
    desk = (ground.db, engine.idempotency, ground.clock, account.audit)

    def desks() -> LoyaltyServices:
        # Addresses and pages alone ask for them.
        from tablegram.flows.loyalty.desks.card_desk import CardDesk
        from tablegram.flows.loyalty.desks.coupon_desk import CouponDesk
        from tablegram.flows.loyalty.desks.gift_desk import GiftDesk
        from tablegram.flows.loyalty.desks.points_desk import PointsDesk
        from tablegram.flows.loyalty.desks.redeem_desk import RedeemDesk
        from tablegram.flows.loyalty.services import LoyaltyServices

        return LoyaltyServices(
            points=PointsDesk(*desk, telling),
            coupons=CouponDesk(*desk),
            cards=CardDesk(*desk),
            redeeming=RedeemDesk(*desk, ordering, rewards),
            gifts=GiftDesk(*desk, gift_telling),
        )

    return Contribution(
        services=[LoyaltyWorks(clock, gift_clock)],
        desks=[desks],
        answerers=[LoyaltyReplies(ground.clock, ordering, rewards), GiftReplies(ground.clock, ordering)],
        reaches=[LoyaltyReach(ground.clock)],
        holdings=[HOLDING, STAMPS, GIFTS],
        silences=[SILENCE],
        rules=RULES,
        tasks={"points clock": drain(Role.WORKER, clock.drain), "gift clock": drain(Role.WORKER, gift_clock.drain)},
        figures=[clock.drain.figures, gift_clock.drain.figures],
    )


PART = Part(
    name="loyalty",
    build=build,
    routes=lambda: routes_of("loyalty"),
    purges=(*proofs.PURGES, *warnings.PURGES),
    pages=lambda: handlers_below("loyalty"),
    places=[Group("marketing", (Place("loyalty", "/panel/loyalty", ("loyalty:read",), rank=3),))],
    demo=[filling("marketing.rewards")],
)
