"""Bodies of the calls about printing."""
