"""What a courier brings: each order step by step, the way through all stops, and what couriers write about it."""
