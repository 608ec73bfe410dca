"""Flows of what guests write: carts, orders in words, calls."""
