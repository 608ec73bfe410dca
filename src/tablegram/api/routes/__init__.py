"""Every address of the API. A handler parses, calls one thing, and renders."""

from tablegram.api.routes import docs, restaurant
from tablegram.api.routes.account import account, team, usage
from tablegram.api.routes.contacts import contacts, imports
from tablegram.api.routes.gateway import auto_replies, instances, media, messages, sends
from tablegram.api.routes.inbox import canned, conversations
from tablegram.api.routes.integrations import events, keys, webhooks
from tablegram.api.routes.operator import accounts as operator
from tablegram.api.routes.restaurant import orders, sales

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
    *restaurant.HANDLERS,
    *orders.HANDLERS,
    *sales.HANDLERS,
    *webhooks.HANDLERS,
    *events.HANDLERS,
    *account.HANDLERS,
    *usage.HANDLERS,
    *team.HANDLERS,
    *keys.HANDLERS,
    *operator.HANDLERS,
    *docs.HANDLERS,
]
