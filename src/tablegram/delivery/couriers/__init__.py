"""Couriers: who they are, when they work, and the cash that they hand in."""
