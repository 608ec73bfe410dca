"""Pages where automations are written, tried and switched on, and where their figures are."""
