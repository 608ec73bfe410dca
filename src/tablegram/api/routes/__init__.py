"""Every address of the API. A handler parses, calls one thing, and renders."""

from tablegram.api.routes import (
    account,
    auto_replies,
    contacts,
    docs,
    events,
    instances,
    keys,
    media,
    messages,
    sends,
    webhooks,
)

HANDLERS = [
    *sends.HANDLERS,
    *messages.HANDLERS,
    *media.HANDLERS,
    *contacts.HANDLERS,
    *instances.HANDLERS,
    *auto_replies.HANDLERS,
    *webhooks.HANDLERS,
    *events.HANDLERS,
    *account.HANDLERS,
    *keys.HANDLERS,
    *docs.HANDLERS,
]
