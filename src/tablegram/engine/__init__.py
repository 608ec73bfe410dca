"""Durable work that knows no domain: drains, leases, timers, the inbox, idempotency."""
