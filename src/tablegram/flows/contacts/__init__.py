"""Flows of the pool of customers: kept, imported, exported, and erased for good."""
