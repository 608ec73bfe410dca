"""Pages of the loyalty programme."""
