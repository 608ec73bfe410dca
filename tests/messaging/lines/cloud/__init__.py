"""The driver of the network's own interface."""
