"""Addresses of printers, tickets, and how tickets look."""

from tablegram.api.routes.printing import layouts, printers, tickets

HANDLERS = [*printers.HANDLERS, *tickets.HANDLERS, *layouts.HANDLERS]
