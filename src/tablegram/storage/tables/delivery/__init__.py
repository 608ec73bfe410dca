"""Tables of deliveries."""
