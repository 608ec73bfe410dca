"""Statements on shops and forms, and segments of who buys there."""
