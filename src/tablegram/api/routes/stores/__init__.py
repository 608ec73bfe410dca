"""Addresses of shops and forms, what they delivered, and their orders."""

from tablegram.api.routes.stores import deliveries, orders, sources

HANDLERS = [*sources.HANDLERS, *deliveries.HANDLERS, *orders.HANDLERS]
