"""The sandbox's page with its phones."""
