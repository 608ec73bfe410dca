"""What processes of one installation tell each other at once: the port, and what carries the words."""
