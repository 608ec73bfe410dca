"""The driver of linked phones."""
