"""Addresses of the pool of customers."""

from tablegram.api.routes.contacts import consents, contacts, imports, jobs, retention, unsent

HANDLERS = [
    # Before the contacts: `imports` and `jobs` are no contacts' ids.
    *imports.HANDLERS,
    *jobs.HANDLERS,
    *contacts.HANDLERS,
    *consents.HANDLERS,
    *retention.HANDLERS,
    *unsent.HANDLERS,
]
