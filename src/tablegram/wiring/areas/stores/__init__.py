"""Shops and forms: what they deliver, and what is said because of it."""
