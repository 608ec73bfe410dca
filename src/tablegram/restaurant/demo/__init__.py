"""The restaurant of the demo: its menu, its room, its pictures."""
