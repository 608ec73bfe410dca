"""Bodies and answers of the calls about loyalty."""
