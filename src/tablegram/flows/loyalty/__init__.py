"""Where loyalty meets orders, bills and messages."""
