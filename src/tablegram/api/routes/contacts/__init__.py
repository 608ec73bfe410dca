"""Addresses of the pool of customers."""
