"""Addresses of the pool of customers."""

from tablegram.api.routes.contacts import contacts, imports

HANDLERS = [
    # Before the contacts: `imports` is no contact's id.
    *imports.HANDLERS,
    *contacts.HANDLERS,
]
