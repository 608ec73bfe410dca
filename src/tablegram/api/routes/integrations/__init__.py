"""Addresses by which programs connect: keys, webhooks, events."""

from tablegram.api.routes.integrations import events, keys, webhooks

HANDLERS = [
    *webhooks.HANDLERS,
    *events.HANDLERS,
    *keys.HANDLERS,
]
