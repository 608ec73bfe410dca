"""Automations: definitions, runs, and what guests answer."""
