"""Kills, freezes and outages of running products, and what must hold after them."""
