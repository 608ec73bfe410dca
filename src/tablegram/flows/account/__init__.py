"""Flows of an account's own people: the team, and how the account is doing."""
