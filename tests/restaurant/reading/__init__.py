"""Free texts read as orders."""
