"""Types of contacts, their imports, and jobs with many of them."""
