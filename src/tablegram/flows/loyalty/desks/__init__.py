"""Loyalty as people and programs manage it."""
