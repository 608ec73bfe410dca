"""Addresses of zones, and of where contacts live."""

from tablegram.api.routes.delivery import addresses, zones

HANDLERS = [*zones.HANDLERS, *addresses.HANDLERS]
