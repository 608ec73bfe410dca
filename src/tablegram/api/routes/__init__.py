"""Every address of the API. A handler parses, calls one thing, and renders."""

from tablegram.api.routes import (
    account,
    auto_replies,
    canned,
    contacts,
    conversations,
    docs,
    events,
    imports,
    instances,
    keys,
    media,
    messages,
    sends,
    team,
    usage,
    webhooks,
)

HANDLERS = [
    *sends.HANDLERS,
    *messages.HANDLERS,
    *media.HANDLERS,
    # Before the contacts: `imports` is no contact's id.
    *imports.HANDLERS,
    *contacts.HANDLERS,
    *conversations.HANDLERS,
    *canned.HANDLERS,
    *instances.HANDLERS,
    *auto_replies.HANDLERS,
    *webhooks.HANDLERS,
    *events.HANDLERS,
    *account.HANDLERS,
    *usage.HANDLERS,
    *team.HANDLERS,
    *keys.HANDLERS,
    *docs.HANDLERS,
]
