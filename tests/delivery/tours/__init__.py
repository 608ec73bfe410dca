"""Deliveries step by step, and the way from stop to stop."""
