"""Who reads guests' texts: the rules, and a language model for what they do not read. What it may cost and what waits for it."""
