"""Addresses of venues, their tables and menus, of orders, bills and sales."""

from tablegram.api.routes.restaurant import (
    bills,
    images,
    menu,
    menu_files,
    orders,
    progress,
    reader,
    sales,
    staff,
    tables,
    takings,
    till,
    venues,
)

HANDLERS = [
    *venues.HANDLERS,
    *staff.HANDLERS,
    *tables.HANDLERS,
    *menu_files.HANDLERS,
    *menu.HANDLERS,
    *images.HANDLERS,
    # Before the actions of orders, whose address would take it for one of them.
    *progress.HANDLERS,
    *orders.HANDLERS,
    *bills.HANDLERS,
    *sales.HANDLERS,
    *takings.HANDLERS,
    *till.HANDLERS,
    *reader.HANDLERS,
]
