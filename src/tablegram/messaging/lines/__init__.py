"""Drivers of networks, a folder each; only the composition root knows them."""
