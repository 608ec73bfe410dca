"""Venues, tables and the rest of a restaurant that no folder below has."""
