"""Addresses and calls on the web: who calls us, whom we may call, and the clients that do."""
