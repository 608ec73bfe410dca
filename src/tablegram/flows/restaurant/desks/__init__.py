"""Flows of those who run a venue: its settings, menu, tables, photos and sales."""
