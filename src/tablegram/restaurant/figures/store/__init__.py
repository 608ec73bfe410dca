"""Statements on what customers have ordered: what counts it, and who is found by it."""
