"""What is said because of a shop's events: whether it may go, by which line, in which words."""
