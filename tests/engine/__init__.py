"""Drains, leases, timers, the inbox, the bus and idempotency."""
