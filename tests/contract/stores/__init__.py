"""What every source of store events promises: one suite over all of them."""
