"""What every edge owes: tenancy, scopes, forms, and secrets that stay secret."""
