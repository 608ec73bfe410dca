"""Couriers at work: orders are given to them, move on with them, and the guest and the till hear of it."""
