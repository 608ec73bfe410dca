"""Addresses of conversations and canned replies."""

from tablegram.api.routes.inbox import canned, conversations

HANDLERS = [
    *conversations.HANDLERS,
    *canned.HANDLERS,
]
