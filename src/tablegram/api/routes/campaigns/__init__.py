"""The calls that make, start, pause and follow campaigns."""
