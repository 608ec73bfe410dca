"""The drawer: cash that comes and goes, and the counts of it."""
