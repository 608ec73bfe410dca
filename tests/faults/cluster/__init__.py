"""Three servers as on three machines, what may happen to them, and the ledger that is kept meanwhile."""
