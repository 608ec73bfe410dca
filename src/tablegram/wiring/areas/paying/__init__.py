"""Payments, and where they meet what is paid for."""
