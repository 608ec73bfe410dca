"""Where payment providers call us, and where payers land when they come back from them."""
