"""Zones around venues, and where an address falls."""
