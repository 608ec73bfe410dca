"""Pages of segments."""
