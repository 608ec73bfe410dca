"""Webhooks, the feed and what they promise."""
