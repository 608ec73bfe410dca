"""Addresses of conversations and canned replies."""
