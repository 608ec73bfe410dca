"""Segments as people and programs build and read them."""
