"""The line to the sandbox's network."""
