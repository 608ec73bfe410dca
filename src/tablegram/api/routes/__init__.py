"""Every address of the API. A handler parses, calls one thing, and renders."""

from tablegram.api.routes import account, docs, instances, keys, messages, sends

HANDLERS = [*sends.HANDLERS, *messages.HANDLERS, *instances.HANDLERS, *account.HANDLERS, *keys.HANDLERS, *docs.HANDLERS]
