"""Pages of orders: the board, the list, an order taken at the table."""
