"""Venues, their tables and their menus."""

from tablegram.api.routes.restaurant import images, menu, menu_files, staff, tables, venues

HANDLERS = [
    *venues.HANDLERS,
    *staff.HANDLERS,
    *tables.HANDLERS,
    *menu_files.HANDLERS,
    *menu.HANDLERS,
    *images.HANDLERS,
]
