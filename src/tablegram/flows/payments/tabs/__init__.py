"""Where a table's bill meets its payment links: several may be open, and never ask for more than the bill."""
