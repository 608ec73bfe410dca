"""A courier's own page: who may see it, what stands on it, and what a tap does."""
