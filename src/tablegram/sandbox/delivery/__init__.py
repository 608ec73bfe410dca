"""Callbacks on their way from the network to the lines."""
