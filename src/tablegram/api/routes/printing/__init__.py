"""Addresses of printers and tickets."""

from tablegram.api.routes.printing import printers, tickets

HANDLERS = [*printers.HANDLERS, *tickets.HANDLERS]
