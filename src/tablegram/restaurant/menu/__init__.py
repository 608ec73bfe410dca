"""Menus: what a venue offers, what it costs at a moment, how it is changed, kept, shown, brought in and taken out."""
