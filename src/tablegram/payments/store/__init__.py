"""Statements on providers, payment links, what moved on them, and on what of them is forgotten."""
