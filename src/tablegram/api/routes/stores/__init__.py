"""Addresses of shops and forms."""
