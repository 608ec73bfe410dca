"""Events to the customer's server: planned with the work they tell of, signed, delivered until taken."""
