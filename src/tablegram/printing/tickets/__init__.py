"""Tickets: what stands on one, how an order's changes become some, and how they are kept."""
