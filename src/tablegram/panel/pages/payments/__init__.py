"""Payments: links and their refunds, what waits for a decision, and the providers."""
