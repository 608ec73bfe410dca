"""What waits for an endpoint, as its courier's lanes know it: events, the lanes they stand in, and outages."""
