"""Couriers: their links and PINs, their shifts, what they write."""
