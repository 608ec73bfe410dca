"""People who sign in: who they are, how they come in, and what they hold."""
