"""The server around the product: its listener's limits, its health pages, its start and end."""
