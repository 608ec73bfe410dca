"""Parts of deliveries."""
