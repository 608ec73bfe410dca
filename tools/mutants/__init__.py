"""Changes a meaning of the core, one at a time, and runs the tests that reach it: somebody must notice."""
