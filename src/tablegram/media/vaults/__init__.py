"""Where files are kept: one module for each kind of place."""
