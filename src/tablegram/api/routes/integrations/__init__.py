"""Addresses by which programs connect: keys, webhooks, events."""
