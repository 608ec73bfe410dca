"""Addresses of payment links and of the providers that they are paid with."""

from tablegram.api.routes.payments import links, providers

HANDLERS = [*links.HANDLERS, *providers.HANDLERS]
