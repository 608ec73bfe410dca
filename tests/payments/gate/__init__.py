"""Orders that wait for their money."""
