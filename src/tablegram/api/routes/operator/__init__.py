"""Addresses for the installation's own administrators."""

from tablegram.api.routes.operator import accounts

HANDLERS = [
    *accounts.HANDLERS,
]
