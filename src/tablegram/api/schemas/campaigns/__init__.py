"""Bodies of the calls about campaigns."""
