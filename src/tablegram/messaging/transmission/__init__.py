"""How messages leave: drained, paced, and what an attempt means."""
