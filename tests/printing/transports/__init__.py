"""Ways to a printer."""
