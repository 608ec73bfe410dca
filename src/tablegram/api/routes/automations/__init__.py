"""Addresses of automations."""
