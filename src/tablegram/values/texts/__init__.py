"""Texts that people write for others: which variables they name, how these are filled in, and reasons given in a line."""
