"""The sandbox's phones in a browser."""
