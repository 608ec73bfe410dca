"""Lines, sending, and the way out to a network."""
