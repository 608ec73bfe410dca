"""What a caller may send about zones, addresses, couriers and deliveries."""
