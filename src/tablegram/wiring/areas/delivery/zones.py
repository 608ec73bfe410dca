"""Deliveries: zones around venues, and addresses of contacts."""

from __future__ import annotations

from tablegram.api.routes import routes_of
from tablegram.delivery.addresses.store import PURGES
from tablegram.demo.stage import filling
from tablegram.flows.account.services import AccountServices
from tablegram.flows.delivery.address_desk import HOLDING, AddressDesk, AddressReach
from tablegram.flows.delivery.labelling import AddressLabels
from tablegram.flows.delivery.services import DeliveryServices
from tablegram.flows.delivery.zone_desk import ZoneDesk
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.wiring.areas.engine import Engine
from tablegram.wiring.areas.integrations import EventWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(
    ground: Ground,
    engine: Engine,
    account: AccountServices,
    events: EventWorks,
    restaurant: RestaurantServices,
    works: RestaurantWorks,
) -> Contribution:
    def changed(account_id: int, venue_id: str) -> None:
        restaurant.menu_watch.told(venue_id)
        events.live.notice(account_id, "menu", [venue_id])

    desk = (ground.db, engine.idempotency, ground.clock, account.audit)
    services = DeliveryServices(zones=ZoneDesk(*desk, changed), addresses=AddressDesk(*desk))
    labels = AddressLabels(ground.clock, works.ordering)
    works.ordering.followers.append(labels.follow)
    return Contribution(services=[services], answerers=[labels], reaches=[AddressReach()], holdings=[HOLDING])


PART = Part(name="delivery", build=build, routes=lambda: routes_of("delivery"), purges=PURGES, demo=[filling("zones")])
