"""The restaurant joined with the rest of the product: what guests, staff and programs do with it."""
