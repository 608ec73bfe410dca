"""Bills of tables as staff and programs handle them, and what is told of them."""
