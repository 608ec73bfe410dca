"""Payment links, providers and what money does."""
