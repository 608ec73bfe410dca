"""Campaigns: written, checked, started, watched, and what came of them."""
