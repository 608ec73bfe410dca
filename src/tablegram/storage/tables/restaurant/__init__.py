"""The restaurant's tables: venues, menus, guests, orders."""

from tablegram.storage.tables.restaurant.bills import tab_discounts, tab_payments
from tablegram.storage.tables.restaurant.figures import customer_figures, customer_orders, customer_tallies
from tablegram.storage.tables.restaurant.guests import carts, dialogues, tabs, waiter_calls
from tablegram.storage.tables.restaurant.menus import (
    item_option_groups,
    menu_categories,
    menu_images,
    menu_items,
    option_groups,
    options,
)
from tablegram.storage.tables.restaurant.orders import order_events, order_payments, order_sequences, orders
from tablegram.storage.tables.restaurant.till import till_counts, till_movements
from tablegram.storage.tables.restaurant.venues import restaurant_tables, sections, venues, waiters

__all__ = [
    "carts",
    "customer_figures",
    "customer_orders",
    "customer_tallies",
    "dialogues",
    "item_option_groups",
    "menu_categories",
    "menu_images",
    "menu_items",
    "option_groups",
    "options",
    "order_events",
    "order_payments",
    "order_sequences",
    "orders",
    "restaurant_tables",
    "sections",
    "tab_discounts",
    "tab_payments",
    "tabs",
    "till_counts",
    "till_movements",
    "venues",
    "waiter_calls",
    "waiters",
]
