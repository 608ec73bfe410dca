"""Zones, couriers and deliveries, below the edges."""
