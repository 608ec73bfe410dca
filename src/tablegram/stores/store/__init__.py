"""Statements on shops and forms."""
