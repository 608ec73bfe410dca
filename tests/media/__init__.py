"""The media store and its vaults."""
