"""Zones: where a venue delivers to, on which terms, and which of them a point lies in."""
