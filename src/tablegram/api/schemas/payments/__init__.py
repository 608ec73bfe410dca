"""Bodies of the calls about payments."""
