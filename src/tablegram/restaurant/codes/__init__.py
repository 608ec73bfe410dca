"""Codes for tables: as a picture, and laid out on paper."""
