"""Flows of the guest's page: sitting down, the cart, calls, what the page hears."""
