"""The HTTP kit."""
