"""Bodies of the calls about deliveries."""
