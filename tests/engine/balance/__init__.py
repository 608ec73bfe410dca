"""How processes share work between them."""
