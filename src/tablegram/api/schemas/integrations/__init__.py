"""Types of webhooks, deliveries and events."""
