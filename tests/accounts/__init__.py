"""Keys, roles, quotas and the request log."""
