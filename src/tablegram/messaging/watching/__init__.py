"""What is looked at from outside a line: whether its messages arrive, and the codes that another process shows."""
