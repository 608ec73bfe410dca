"""Statements on automations, runs and ratings."""
