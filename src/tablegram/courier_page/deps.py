"""What the courier's page needs from the rest of the product. The composition root fills it in."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablegram.flows.delivery.couriers.page.courier_pages import CourierPages
from tablegram.settings import Settings
from tablegram.web.limits import Limiter


@dataclass(frozen=True, slots=True, kw_only=True)
class CourierPageDeps:
    settings: Settings
    pages: CourierPages
    limiter: Limiter = field(default_factory=Limiter)
