"""What is said because of a shop's events: which kinds there are, how each is worded, and what waits to be said."""
