"""Restaurants: venues, menus and tables, carts and orders."""
