"""The SQL of the restaurant: venues, menus, tables, carts, orders."""
