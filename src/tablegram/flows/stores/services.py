"""What the edges ask of shops and forms."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.flows.stores.delivery_desk import DeliveryDesk
from tablegram.flows.stores.source_desk import SourceDesk


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreServices:
    sources: SourceDesk
    deliveries: DeliveryDesk
