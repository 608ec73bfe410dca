"""Addresses of venues, their tables and menus, of orders and sales."""

from tablegram.api.routes.restaurant import images, menu, menu_files, orders, reader, sales, staff, tables, venues

HANDLERS = [
    *venues.HANDLERS,
    *staff.HANDLERS,
    *tables.HANDLERS,
    *menu_files.HANDLERS,
    *menu.HANDLERS,
    *images.HANDLERS,
    *orders.HANDLERS,
    *sales.HANDLERS,
    *reader.HANDLERS,
]
