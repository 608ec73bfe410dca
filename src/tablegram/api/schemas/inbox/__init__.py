"""Types of conversations and canned replies."""
