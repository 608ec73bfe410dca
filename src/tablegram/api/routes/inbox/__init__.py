"""Addresses of conversations, their notes, and canned replies."""

from tablegram.api.routes.inbox import canned, conversations, notes

HANDLERS = [
    *conversations.HANDLERS,
    *canned.HANDLERS,
    *notes.HANDLERS,
]
