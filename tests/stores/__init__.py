"""Shops and forms: hooks, deliveries, carts and notices."""
