"""Types of venues, menus, orders and sales."""
