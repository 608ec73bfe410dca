"""Bodies and answers of the calls about campaigns and segments."""
