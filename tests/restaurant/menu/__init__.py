"""Menus: edited, imported, and what can be ordered when."""
