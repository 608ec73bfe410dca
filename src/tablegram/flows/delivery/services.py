"""What the edges ask of deliveries."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.delivery.address_desk import AddressDesk
from tablegram.flows.delivery.zone_desk import ZoneDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryServices:
    zones: ZoneDesk
    addresses: AddressDesk
