"""Orders that guests write, from the message to the kitchen."""
