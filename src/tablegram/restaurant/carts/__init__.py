"""Carts: what guests put together, the codes that find it again, the text that carries it, the tab of a table."""
