"""Orders and bills that are paid online: where the restaurant meets payments."""

from __future__ import annotations

from tablegram.flows.payments.orders.gate import OrderGate
from tablegram.flows.payments.orders.replies import PaymentReplies
from tablegram.flows.payments.orders.venue_provider import KnownProvider
from tablegram.flows.payments.tabs.gate import TabGate
from tablegram.flows.restaurant.services import RestaurantServices
from tablegram.wiring.areas.paying.payments import PaymentWorks
from tablegram.wiring.areas.restaurant import RestaurantWorks
from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Ground, Part


def build(
    ground: Ground, money: PaymentWorks, restaurant: RestaurantWorks, services: RestaurantServices
) -> Contribution:
    ordering = restaurant.ordering
    gate = OrderGate(money.payments, money.caretaker, ordering, ground.tasks.spawn, ground.api_url)
    gate.join()
    TabGate(money.payments, money.caretaker, ordering, ground.tasks.spawn, ground.api_url).join()
    services.venue_desk.checks.append(KnownProvider(ground.db, money.accesses).check)
    return Contribution(answerers=[PaymentReplies(ground.clock, ordering, gate)])


PART = Part(name="order payments", build=build)
