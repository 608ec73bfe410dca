"""The generated client and our own libraries against the product."""
