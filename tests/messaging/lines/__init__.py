"""Drivers of lines, and what they have in common."""
