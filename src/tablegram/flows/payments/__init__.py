"""Payments, as people and programs work with them, and where they meet other domains."""
