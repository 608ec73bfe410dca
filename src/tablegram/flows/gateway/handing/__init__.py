"""A message before it is accepted, and how it gets to the process of this machine that has its line."""
