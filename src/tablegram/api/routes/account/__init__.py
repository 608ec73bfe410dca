"""Addresses of the account itself: who calls, its people, its usage."""

from tablegram.api.routes.account import account, team, usage

HANDLERS = [
    *account.HANDLERS,
    *usage.HANDLERS,
    *team.HANDLERS,
]
