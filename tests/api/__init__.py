"""Promises of the API as a caller sees them, and the files that fuzz it."""
