"""What the edges ask about couriers."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.delivery.couriers.courier_access import CourierAccess
from tablegram.flows.delivery.couriers.courier_desk import CourierDesk
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryDesk
from tablegram.flows.delivery.couriers.page.courier_pages import CourierPages


@dataclass(frozen=True, slots=True, kw_only=True)
class CourierServices:
    couriers: CourierDesk
    access: CourierAccess
    deliveries: DeliveryDesk
    pages: CourierPages
