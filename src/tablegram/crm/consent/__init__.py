"""Consent: what customers have agreed to and taken back, for each purpose."""
