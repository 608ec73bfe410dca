"""What waits for an endpoint that does not answer."""
