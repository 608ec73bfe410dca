"""Couriers: who brings orders, how far they are, and what couriers write about it."""

from __future__ import annotations

from tablegram.delivery.retention import PURGES
from tablegram.flows.account.services import AccountServices
from tablegram.flows.delivery.couriers.courier_desk import CourierDesk
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryDesk
from tablegram.flows.delivery.couriers.dispatching import Dispatching
from tablegram.flows.delivery.couriers.replies import CourierReplies
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine, account: AccountServices, restaurant: RestaurantWorks) -> Contribution:
    db, clock, ordering = ground.db, ground.clock, restaurant.ordering
    dispatching = Dispatching(ordering)
    ordering.followers.append(dispatching.follow)
    services = CourierServices(
        couriers=CourierDesk(
            db, engine.idempotency, clock, account.audit, ground.box, dispatching.telling, ground.settings.base_url
        ),
        deliveries=DeliveryDesk(db, engine.idempotency, clock, dispatching),
    )
    return Contribution(services=[services], answerers=[CourierReplies(db, clock, dispatching)])


PART = Part(name="couriers", build=build, purges=PURGES)
