"""Commands that run a program of their own beside the server."""
