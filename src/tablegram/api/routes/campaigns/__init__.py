"""Addresses of campaigns."""
