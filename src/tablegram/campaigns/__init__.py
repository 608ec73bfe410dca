"""Campaigns: what is written to many at once, to whom, when, and what came of it."""
