"""Types of contacts and their imports."""
