"""The life of an order, and what is kept of it."""
