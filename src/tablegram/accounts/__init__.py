"""Accounts: who they are, their people and keys, what they may do and what they pay."""
