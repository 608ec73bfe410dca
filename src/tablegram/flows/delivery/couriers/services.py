"""What the edges ask about couriers."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.delivery.couriers.courier_desk import CourierDesk
from tablegram.flows.delivery.couriers.delivery_desk import DeliveryDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class CourierServices:
    couriers: CourierDesk
    deliveries: DeliveryDesk
