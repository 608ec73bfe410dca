"""Pages of the pool of customers."""
