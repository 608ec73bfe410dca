"""Statements on printers, tickets and print jobs, and on what of them is forgotten."""
