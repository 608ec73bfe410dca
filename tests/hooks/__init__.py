"""Addresses that networks and machines call."""
