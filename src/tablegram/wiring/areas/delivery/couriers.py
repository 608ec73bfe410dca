"""Couriers: who brings orders, how far they are, and what couriers write about it."""

from __future__ import annotations

from tablegram.api.routes import routes_of
from tablegram.courier_page.app import create_courier_page
from tablegram.courier_page.deps import CourierPageDeps
from tablegram.delivery.retention import PURGES
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.delivery.couriers.courier_access import CourierAccess
from tablegram.flows.delivery.couriers.courier_desk import CourierDesk
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryDesk
from tablegram.flows.delivery.couriers.dispatching import Dispatching
from tablegram.flows.delivery.couriers.erasing import CourierReach
from tablegram.flows.delivery.couriers.page.courier_pages import CourierPages
from tablegram.flows.delivery.couriers.replies import CourierReplies
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.panel.app import handlers_below
from tablegram.panel.navigation import Group, Place
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(ground: Ground, engine: Engine, account: AccountServices, restaurant: RestaurantWorks) -> Contribution:
    db, clock, ordering = ground.db, ground.clock, restaurant.ordering
    dispatching = Dispatching(ordering)
    ordering.followers.append(dispatching.follow)
    settings, box = ground.settings, ground.box
    pages = CourierPages(db, box, clock, engine.idempotency, dispatching, settings.courier_forget_min)
    ordering.listeners.append(pages.told)
    services = CourierServices(
        couriers=CourierDesk(db, engine.idempotency, clock, account.audit, dispatching),
        access=CourierAccess(db, box, engine.idempotency, clock, account.audit, settings.base_url),
        deliveries=DeliveryDesk(db, engine.idempotency, clock, dispatching),
        pages=pages,
    )
    page = create_courier_page(CourierPageDeps(settings=settings, pages=pages))
    return Contribution(
        services=[services],
        mounts={"/courier": page},
        answerers=[CourierReplies(db, clock, dispatching)],
        reaches=[CourierReach(ground.clock)],
        streams=[page.end_streams],
    )


PART = Part(
    name="couriers",
    build=build,
    routes=lambda: routes_of("delivery", "COURIER_HANDLERS"),
    pages=lambda: handlers_below("couriers"),
    places=[Group("restaurant", (Place("couriers", "/panel/couriers", ("orders:manage",)),))],
    demo=[filling("couriers")],
    purges=PURGES,
)
