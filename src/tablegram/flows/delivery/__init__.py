"""Deliveries: where orders go to, and who brings them."""
