"""How messages leave: drained, paced, and what an attempt means; who has a line, and what a dead process left of it."""
