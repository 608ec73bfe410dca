"""Values of files: what one is, what it may be called, tables in it."""
