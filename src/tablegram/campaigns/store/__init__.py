"""Statements on campaigns, their ledger and their links."""
