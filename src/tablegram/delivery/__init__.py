"""Bringing things to people: zones and what they cost, addresses, couriers, deliveries and tours."""
