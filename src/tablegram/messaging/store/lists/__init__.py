"""Statements of lists that people and programs read page by page."""
