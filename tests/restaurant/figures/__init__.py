"""Sales and what else is counted."""
