"""Addresses of zones, of where contacts live, and of couriers and what they bring."""

from tablegram.api.routes.delivery import addresses, couriers, deliveries, zones

HANDLERS = [*zones.HANDLERS, *addresses.HANDLERS]
COURIER_HANDLERS = [*couriers.HANDLERS, *deliveries.HANDLERS]
