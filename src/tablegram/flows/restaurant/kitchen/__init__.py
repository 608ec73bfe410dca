"""What stations do with their shares of orders, and what their displays show."""
